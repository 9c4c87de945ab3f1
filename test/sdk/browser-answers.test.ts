/**
 * Answers that nobody expects: none reaches the page as `undefined` where a value was promised. And when a challenge is
 * fetched: before a capture, once for as long as it is fresh, never twice for one use.
 */
import * as assert from 'uvu/assert';
import type { Client, FaceSignInErrorCode } from '../../src/sdk/browser/index.ts';
import { FaceSignInError } from '../../src/sdk/browser/index.ts';
import { captureWithoutCamera, syntheticEncoder } from '../../src/sdk/browser/testing.ts';
import { suite } from '../support/suite.ts';
import {
  type Behaviour,
  CHALLENGE,
  challengeAnswer,
  face,
  failure,
  json,
  MATCH,
  misbehavingFor,
  ownPerson,
  person,
  profileAnswer,
  raw,
  refused,
  routes,
  session,
  signedIn,
  uncalled,
} from './browser-support.ts';

const test = suite('browser SDK: answers and challenges');
const { service, watchedOf, clientOf, signedInWith } = misbehavingFor(test);

const strange: [name: string, behaviour: Behaviour, code: FaceSignInErrorCode, detail: RegExp][] = [
  ['the page of a captive portal', raw(200, '<html>'), 'unexpected_answer', /is not JSON/],
  ['nothing', raw(200, ''), 'unexpected_answer', /is empty/],
  ['null', raw(200, 'null'), 'unexpected_answer', /the response is missing/],
  ['a list', json(200, []), 'unexpected_answer', /user is missing/],
  ['no token', json(200, { ...signedIn(), token: undefined }), 'unexpected_answer', /token is missing/],
  ['no user', json(200, { ...signedIn(), user: null }), 'unexpected_answer', /user is missing/],
  [
    'a number for an id',
    json(200, { ...signedIn(), user: { ...person, id: 7 } }),
    'unexpected_answer',
    /id is/,
  ],
  ['no time', json(200, { ...signedIn(), expires_at: 'soon' }), 'unexpected_answer', /expires_at is/],
  [
    'a text for a number',
    json(200, { ...signedIn(), confidence: '1' }),
    'unexpected_answer',
    /confidence is/,
  ],
  ['no envelope', raw(418, 'teapot'), 'unexpected_answer', /418: no error message/],
  ['a code of tomorrow', failure(422, 'face_on_holiday'), 'unexpected_answer', /422 face_on_holiday: told/],
  ['a code of tomorrow, busy', failure(503, 'face_on_holiday'), 'service_unavailable', /503 face_on_holiday/],
  ['a code that only devices have', failure(400, 'camera_denied'), 'unexpected_answer', /400 camera_denied/],
  ['a code of every object', failure(400, 'toString'), 'unexpected_answer', /400 toString/],
  ['a proxy that finds it too large', raw(413, ''), 'payload_too_large', /413/],
  ['a proxy with a limit', raw(429, '', { 'Retry-After': '9' }), 'rate_limited', /429/],
];
for (const [name, behaviour, code, detail] of strange)
  test(`answered with ${name}`, async () => {
    service.behave({ [CHALLENGE]: [challengeAnswer], [MATCH]: [behaviour] });
    const client = clientOf();
    const error = await refused(client.signIn(face), code);
    assert.match(error.detail ?? '', detail);
    assert.is(client.session, null);
  });

test('answers of every verb are looked at', async () => {
  const cases: [string, (client: Client) => Promise<unknown>, object[]][] = [
    [
      'GET /v1/me',
      c => c.profile(),
      [{}, { ...profileAnswer, consent: null }, { ...profileAnswer, livemode: 1 }],
    ],
    [
      'PATCH /v1/me',
      c => c.rename({ name: 'x' }),
      [{ user: person }, { user: { ...ownPerson, last_sign_in_at: 0 } }],
    ],
    ['POST /v1/email-codes', c => c.requestEmailCode('a@example.com'), [{ expires_at: null }]],
    [
      'POST /v1/email-codes/verify',
      c => c.signInWithEmailCode('a@example.com', '1'),
      [session(), { ...session(), user: ownPerson, method: 'face' }, { ...session(), method: 'email_code' }],
    ],
    ['POST /v1/me/templates', c => c.addTemplates(face), [session()]],
  ];
  for (const [route, verb, answers] of cases)
    for (const answer of answers) {
      const client = await signedInWith({ [route]: [json(200, answer)] });
      await refused(verb(client), 'unexpected_answer', `${route} ${JSON.stringify(answer)}`);
    }
  const client = await signedInWith({ [CHALLENGE]: [json(200, { challenge_id: 7 })] });
  await refused(client.signIn(face), 'unexpected_answer');
});

test('a plan limit without its numbers is one all the same', async () => {
  service.behave({ [CHALLENGE]: [failure(429, 'plan_limit_reached')] });
  assert.is((await refused(clientOf().signIn(face), 'plan_limit_reached')).plan, undefined);
  assert.equal(service.seen, [CHALLENGE]);
});

const clientWith = (capture: typeof captureWithoutCamera) =>
  watchedOf({ encoder: syntheticEncoder({ person: 0 }), capture });
const failing = () => Promise.reject(new FaceSignInError('no_face'));

for (const [status, code, wanted] of [
  [401, 'unauthorized', 'key_refused'],
  [403, 'origin_not_allowed', 'origin_not_allowed'],
] as const)
  test(`${wanted}: it is found before anything is captured`, async () => {
    service.behave({ [CHALLENGE]: [failure(status, code)] });
    const { client, sent } = clientWith(uncalled('a capture'));
    await refused(client.signIn(), wanted);
    const consent = { policyVersion: '1', accepted: true };
    await refused(client.enroll({ email: 'ada@example.com', consent }), wanted);
    assert.equal(routes(sent), [CHALLENGE, CHALLENGE]);
  });

test('a sign-in fetches one before the capture and uses it', async () => {
  service.behave({ [CHALLENGE]: [challengeAnswer], [MATCH]: [json(200, signedIn())] });
  let before: string[] = [];
  const { client, sent } = clientWith(options => {
    before = routes(sent);
    return captureWithoutCamera(options);
  });
  await client.signIn();
  assert.equal(before, [CHALLENGE]);
  assert.equal(routes(sent), [CHALLENGE, MATCH]);
});

test('one that was not used serves the next try while it is fresh, and then not again', async () => {
  service.behave({ [CHALLENGE]: [challengeAnswer], [MATCH]: [json(200, signedIn())] });
  let fails = true;
  const { client, sent } = clientWith(options => (fails ? failing() : captureWithoutCamera(options)));
  await refused(client.signIn(), 'no_face');
  await refused(client.signIn(), 'no_face');
  assert.equal(routes(sent), [CHALLENGE]);
  fails = false;
  await client.signIn();
  assert.equal(routes(sent), [CHALLENGE, MATCH]);
  await client.signIn();
  assert.equal(routes(sent), [CHALLENGE, MATCH, CHALLENGE, MATCH]);
});

test('one that grew old during the capture is replaced before it is sent', async () => {
  let n = 0;
  const answer = () => json(200, { challenge_id: `ch_${n++}` });
  service.behave({ [CHALLENGE]: [answer(), answer()], [MATCH]: [json(200, signedIn())] });
  const { now } = Date;
  const { client, sent } = clientWith(options => {
    Date.now = () => now() + 45_001;
    return captureWithoutCamera(options);
  });
  await client.signIn().finally(() => {
    Date.now = now;
  });
  assert.equal(routes(sent), [CHALLENGE, CHALLENGE, MATCH]);
  assert.is(sent[2]?.json.challenge_id, 'ch_1');
});

test('two calls at once do not use the same one', async () => {
  let n = 0;
  const answer = () => json(200, { challenge_id: `ch_${n++}` });
  service.behave({ [CHALLENGE]: [answer(), answer(), answer()], [MATCH]: [json(200, signedIn())] });
  const { client, sent } = clientWith(captureWithoutCamera);
  await Promise.all([client.signIn(), client.signIn()]);
  const used = sent.filter(({ path }) => path === '/v1/match').map(one => one.json.challenge_id);
  assert.is(new Set(used).size, 2, String(used));
});

test('without an encoder none is fetched', async () => {
  const { client, sent } = watchedOf();
  await refused(client.signIn(), 'encoder_failed');
  assert.equal(routes(sent), []);
});

test.run();
