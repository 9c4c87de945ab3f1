/** When the browser SDK fetches a challenge: before a capture, once for as long as it is fresh, never twice for one use. */
import * as assert from 'uvu/assert';
import { FaceSignInError } from '../../src/sdk/browser/index.ts';
import { captureWithoutCamera, syntheticEncoder } from '../../src/sdk/browser/testing.ts';
import { openedFor } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import {
  challengeAnswer,
  failure,
  json,
  refused,
  routes,
  SOME_KEY,
  signedIn,
  startMisbehaving,
  uncalled,
  watched,
} from './browser-support.ts';

const test = suite('browser SDK: challenges');
const CHALLENGE = 'POST /v1/challenges';
const MATCH = 'POST /v1/match';

const service = openedFor(test, startMisbehaving);

const clientWith = (capture: typeof captureWithoutCamera) =>
  watched({
    publishableKey: SOME_KEY,
    baseUrl: service.base,
    encoder: syntheticEncoder({ person: 0 }),
    capture,
  });
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
  const { client, sent } = watched({ publishableKey: SOME_KEY, baseUrl: service.base });
  await refused(client.signIn(), 'encoder_failed');
  assert.equal(routes(sent), []);
});

test.run();
