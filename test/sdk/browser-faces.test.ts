/** Where descriptors come from: given, or captured by the page's encoder; and what a capture may do wrong. */
import * as assert from 'uvu/assert';
import type {
  Captured,
  CaptureFunction,
  CaptureOptions,
  FaceEncoder,
  FaceInput,
} from '../../src/sdk/browser/index.ts';
import { FaceSignInError } from '../../src/sdk/browser/index.ts';
import { syntheticEncoder } from '../../src/sdk/browser/testing.ts';
import { faces } from '../support/client.ts';
import { suite } from '../support/suite.ts';
import {
  CHALLENGE,
  challengeAnswer,
  json,
  MATCH,
  misbehavingFor,
  refused,
  signedIn,
  uncalled,
} from './browser-support.ts';

const test = suite('browser SDK: faces');
const { service, watchedOf } = misbehavingFor(test);

const encoder = syntheticEncoder();
const captured: Captured = { descriptors: [faces.genuine(0)], liveness: { score: 0.5, checks: ['blink'] } };

/** @param of the encoder's id, or an encoder in its place */
function withCapture(capture?: CaptureFunction, encoderToo = true, of: string | FaceEncoder = encoder) {
  service.behave({ [CHALLENGE]: [challengeAnswer], [MATCH]: [json(200, signedIn())] });
  return watchedOf({
    ...(encoderToo && { encoder: typeof of === 'string' ? { ...encoder, id: of } : of }),
    ...(capture && { capture }),
  });
}

test('the capture gets encoder, count and what the page settled, and nothing that is not set', async () => {
  const asked: CaptureOptions[] = [];
  const capture: CaptureFunction = async options => {
    asked.push(options);
    return captured;
  };
  const { client, sent } = withCapture(capture);
  const { signal } = new AbortController();
  const onProgress = () => undefined;
  await client.signIn();
  await client.signIn({ signal, capture: { count: 2, onProgress } });
  assert.equal(
    asked.map(options => Object.keys(options).sort()),
    [
      ['count', 'encoder'],
      ['count', 'encoder', 'onProgress', 'signal'],
    ],
  );
  assert.equal([asked[0]?.count, asked[1]?.count], [1, 2]);
  for (const options of asked) assert.is(options.encoder, encoder);
  assert.is(asked[1]?.signal, signal);
  assert.is(asked[1]?.onProgress, onProgress);
  const { challenge_id: _, ...body } = sent[1]?.json ?? {};
  assert.equal(body, captured, 'what it made is what is sent');
});

const sentBy = async (client: ReturnType<typeof withCapture>, of?: FaceInput) => {
  await client.client.signIn(of);
  return client.sent[1]?.json.encoder;
};
const descriptors = [faces.genuine(0)];

test('the id of the encoder goes along with what it made, as it is after the capture', async () => {
  for (const id of ['mobilefacenet-1', ' ', 'x'.repeat(100)])
    assert.is(await sentBy(withCapture(async () => captured, true, id)), id);
  const late: FaceEncoder = { ...syntheticEncoder(), id: '' };
  const client = withCapture(
    async () => {
      (late as { id: string }).id = 'known once it is loaded';
      return captured;
    },
    true,
    late,
  );
  assert.is(await sentBy(client), 'known once it is loaded');
});

test('an encoder without an id, as that of made-up faces, sends none', async () => {
  assert.is(syntheticEncoder().id, '');
  for (const id of ['', undefined]) {
    const client = withCapture(async () => captured, true, { ...encoder, id } as FaceEncoder);
    await client.client.signIn();
    assert.equal(Object.keys(client.sent[1]?.json), ['challenge_id', 'descriptors', 'liveness']);
  }
});

test('an id that is wrong when the face was captured is a fault of the encoder, and no face is sent', async () => {
  const bad = { ...encoder } as { id: string } & FaceEncoder;
  const { client, sent } = withCapture(async () => captured, true, bad);
  for (const id of ['x'.repeat(101), 'é', 'a\n', 7 as never]) {
    bad.id = id;
    const { detail } = await refused(client.signIn(), 'encoder_failed');
    assert.match(String(detail), /^encoder\.id: must be 1 to 100 printable ASCII characters$/);
  }
  assert.equal(new Set(sent.map(({ path }) => path)), new Set(['/v1/challenges']));
});

test('beside given descriptors goes the encoder that is given with them, and not that of the client', async () => {
  const withId = () => withCapture(uncalled('captured'), true, 'of-the-client');
  assert.is(await sentBy(withId(), { descriptors, encoder: 'given' }), 'given');
  const client = withId();
  await client.client.signIn({ descriptors });
  assert.equal(Object.keys(client.sent[1]?.json), ['challenge_id', 'descriptors']);
  const { client: strict, sent } = withId();
  for (const wrong of ['', 'x'.repeat(101), 'é', 7 as never, null as never]) {
    const { detail } = await refused(strict.signIn({ descriptors, encoder: wrong }), 'invalid_request');
    assert.match(String(detail), /^encoder: must be 1 to 100 printable ASCII characters$/);
  }
  assert.equal(sent, []);
  assert.is(
    await sentBy(
      withCapture(async () => captured, true, 'own'),
      { encoder: 'not of the capture' },
    ),
    'own',
  );
});

test('how many pictures are asked for, for what, and whether they become one', async () => {
  const asked: CaptureOptions[] = [];
  const clientOf = (encoder: FaceEncoder) =>
    withCapture(
      async options => {
        asked.push(options);
        throw new FaceSignInError('no_face');
      },
      true,
      encoder,
    ).client;
  const client = clientOf(encoder);
  const withMean = clientOf({ ...encoder, mean: ([first]) => [...(first ?? [])] });
  const person = { email: 'ada@example.com', consent: { policyVersion: '1', accepted: true } };
  const descriptors = [faces.genuine(0)];
  for (const one of [client, withMean]) await one.signIn({ descriptors });
  const calls: [() => Promise<unknown>, number, boolean | undefined, boolean | undefined][] = [
    [() => client.enroll(person), 5, true, undefined],
    [() => client.enroll({ ...person, capture: { count: 2, mean: undefined } }), 2, true, undefined],
    [() => client.enroll({ ...person, capture: { mean: false } }), 5, true, false],
    [() => client.signIn(), 1, undefined, undefined],
    [() => client.signIn({ capture: { mean: true } }), 3, undefined, true],
    [() => client.signIn({ capture: { mean: true, count: 2 } }), 2, undefined, true],
    [() => client.addTemplates(), 1, true, undefined],
    [() => withMean.signIn(), 1, undefined, undefined],
    [() => withMean.addTemplates(), 3, true, undefined],
    [() => withMean.addTemplates({ capture: { mean: false } }), 1, true, false],
  ];
  for (const [call] of calls) await refused(call(), 'no_face');
  assert.equal(
    asked.map(({ count, enrollment, mean }) => [count, enrollment, mean]),
    calls.map(([, ...wanted]) => wanted),
  );
});

test('what an enrolment that failed has left is for the next try of the same person, and gone after it', async () => {
  const found: unknown[] = [];
  let fails: 'no_face' | 'aborted' | undefined = 'no_face';
  const { client } = withCapture(async ({ keep }) => {
    found.push(keep?.candidates);
    if (keep) keep.candidates = found.length as never;
    if (fails) throw new FaceSignInError(fails);
    return captured;
  });
  const consent = { policyVersion: '1', accepted: true };
  const enroll = (email = 'ada@example.com') => client.enroll({ email, consent }).catch(() => undefined);
  await enroll();
  await enroll();
  await enroll('bob@example.com');
  fails = 'aborted';
  await enroll('bob@example.com');
  fails = undefined;
  await enroll('bob@example.com');
  await enroll('bob@example.com');
  assert.equal(found, [undefined, 1, undefined, 3, undefined, 5], 'the service refused the last but one');
  await client.signIn();
  await enroll('bob@example.com');
  assert.equal(found.slice(6), [undefined, undefined], 'a sign-in has none, and ends it');
});

test('given descriptors win: nothing is captured, the page needs no encoder', async () => {
  const { client, sent } = withCapture(uncalled('captured'), false);
  await client.signIn({ descriptors: [faces.genuine(0)], capture: { count: 3 } });
  assert.equal(Object.keys(sent[1]?.json), ['challenge_id', 'descriptors']);
});

test('without encoder and descriptors the page is told what to give', async () => {
  const error = await refused(withCapture(undefined, false).client.signIn(), 'encoder_failed');
  assert.match(error.detail ?? '', /no encoder: pass it one, or pass descriptors/);
});

test('errors of a capture pass as they are; anything else it throws is its cause', async () => {
  const dark = new FaceSignInError('too_dark');
  const failing = withCapture(() => Promise.reject(dark)).client;
  assert.is(await refused(failing.signIn(), 'too_dark'), dark);
  for (const cause of [new Error('no model'), 'no model', undefined]) {
    const thrown = await refused(withCapture(() => Promise.reject(cause)).client.signIn(), 'encoder_failed');
    assert.is(thrown.cause, cause);
  }
  const sync = withCapture(() => {
    throw new RangeError('at once');
  }).client;
  assert.instance((await refused(sync.signIn(), 'encoder_failed')).cause, RangeError);
  assert.equal(service.seen, [CHALLENGE], 'no face was sent');
});

test('a capture that makes something else than descriptors is not sent', async () => {
  const wrong: unknown[] = [undefined, {}, { descriptors: [] }, { descriptors: [[1, 2]] }];
  for (const value of wrong) {
    const { client } = withCapture(async () => value as Captured);
    assert.instance((await refused(client.signIn(), 'encoder_failed')).cause, FaceSignInError);
    assert.equal(service.seen, [CHALLENGE]);
  }
});

test.run();
