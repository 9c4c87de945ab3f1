/** Where descriptors come from: given, or captured by the page's encoder; and what a capture may do wrong. */
import * as assert from 'uvu/assert';
import type { Captured, CaptureFunction, CaptureOptions } from '../../src/sdk/browser/index.ts';
import { FaceSignInError } from '../../src/sdk/browser/index.ts';
import { syntheticEncoder } from '../../src/sdk/browser/testing.ts';
import { faces } from '../support/client.ts';
import { suite } from '../support/suite.ts';
import {
  challengeAnswer,
  json,
  type Misbehaving,
  refused,
  SOME_KEY,
  signedIn,
  startMisbehaving,
  uncalled,
  watched,
} from './browser-support.ts';

const test = suite('browser SDK: faces');
let service: Misbehaving;
test.before(async () => {
  service = await startMisbehaving();
});
test.after(() => service?.close());

const encoder = syntheticEncoder();
const captured: Captured = { descriptors: [faces.genuine(0)], liveness: { score: 0.5, checks: ['blink'] } };

function withCapture(capture?: CaptureFunction, encoderToo = true) {
  service.behave({ 'POST /v1/challenges': [challengeAnswer], 'POST /v1/match': [json(200, signedIn())] });
  return watched({
    publishableKey: SOME_KEY,
    baseUrl: service.base,
    ...(encoderToo && { encoder }),
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

test('a challenge is fetched when the face is there, as it lasts for a minute only', async () => {
  const order: string[] = [];
  const { client } = withCapture(async () => {
    order.push(...service.seen, 'captured');
    return captured;
  });
  await client.signIn();
  assert.equal([...order, ...service.seen], ['captured', 'POST /v1/challenges', 'POST /v1/match']);
});

test('given descriptors win: nothing is captured, the page needs no encoder', async () => {
  const { client, sent } = withCapture(uncalled('captured'), false);
  await client.signIn({ descriptors: [faces.genuine(0)], capture: { count: 3 } });
  assert.equal(Object.keys(sent[1]?.json), ['challenge_id', 'descriptors']);
});

test('without encoder and descriptors the page is told what to give', async () => {
  const error = await refused(withCapture(undefined, false).client.signIn(), 'encoder_failed');
  assert.match(error.detail ?? '', /no encoder: give it one, or descriptors/);
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
  assert.equal(service.seen, [], 'nothing was sent');
});

test('a capture that makes something else than descriptors is not sent', async () => {
  const wrong: unknown[] = [undefined, {}, { descriptors: [] }, { descriptors: [[1, 2]] }];
  for (const value of wrong) {
    const { client } = withCapture(async () => value as Captured);
    assert.instance((await refused(client.signIn(), 'encoder_failed')).cause, FaceSignInError);
  }
  assert.equal(service.seen, []);
});

test.run();
