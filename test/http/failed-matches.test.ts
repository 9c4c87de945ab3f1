/** The limit of failed matches: 10 per address and app in 15 minutes; a face that is enrolled already counts too. */
import * as assert from 'uvu/assert';
import {
  assertError,
  atOnce,
  challenge,
  enroll,
  enrolled,
  faces,
  type Mode,
  match,
  tally,
} from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

/** No setting, so that the built-in number holds. */
const builtIn = undefined as unknown as string;
const test = suite('failed-matches');
const run = serviceFor(test, { env: { LIMIT_FAILED_MATCHES: builtIn } });

let addresses = 0;
const address = () => `203.0.113.${++addresses}`;
const stranger = [faces.stranger(1)];
async function fail(app: TestApp, ip: string, count: number, mode: Mode = 'live'): Promise<void> {
  for (let n = 0; n < count; n++)
    assertError(await match(run, app, { ip, mode, descriptors: stranger }), 'no_match');
}

test('successes do not count, and do not reset the count', async () => {
  const [app, ip] = [await run.createApp(), address()];
  await enrolled(run, app, { ip });
  for (let n = 0; n < 12; n++) assert.is((await match(run, app, { ip })).status, 200);
  await fail(app, ip, 9);
  assert.is((await match(run, app, { ip })).status, 200);
  await fail(app, ip, 1);
  assertError(await match(run, app, { ip, descriptors: stranger }), 'rate_limited');
});

test('a face that is enrolled already counts, and is answered 429 when the count is full', async () => {
  const [app, ip] = [await run.createApp(), address()];
  await enrolled(run, app, { ip });
  for (let n = 0; n < 5; n++) assertError(await enroll(run, app, { ip }), 'face_already_enrolled');
  await fail(app, ip, 5);
  assertError(await enroll(run, app, { ip }), 'rate_limited', 'enroll');
  const newFace = { ip, descriptors: [faces.genuine(1)] };
  assertError(await enroll(run, app, newFace), 'rate_limited', 'enroll of a new face');
  assertError(await match(run, app, { ip, descriptors: stranger }), 'rate_limited', 'match');
  assertError(await enroll(run, app, { ip: address() }), 'face_already_enrolled', 'from another address');
});

test('other failures do not count', async () => {
  const [app, ip] = [await run.createApp(), address()];
  const { user } = await enrolled(run, app, { ip });
  for (let n = 0; n < 12; n++) {
    assertError(await match(run, app, { ip, challengeId: 'ch_x' }), 'challenge_invalid');
    assertError(await match(run, app, { ip, descriptors: [] }), 'invalid_request');
    const taken = { ip, descriptors: [faces.genuine(5)], fields: { email: user.email } };
    assertError(await enroll(run, app, taken), 'email_taken');
  }
  await fail(app, ip, 10);
});

const mode = 'test';
const tight = serviceFor(test, { env: { LIMIT_FAILED_MATCHES: '1', LIMIT_APP_PER_MINUTE: '3' } });

test('the budget of an app holds in test mode too', async () => {
  const app = await tight.createApp();
  await enrolled(tight, app, { mode });
  for (let n = 0; n < 3; n++) assert.is((await match(tight, app, { mode })).status, 200);
  const answer = await match(tight, app, { mode });
  assertError(answer, 'rate_limited');
  assert.is(answer.headers['retry-after'], '60');
});

test('calls that another limit refuses take nothing from a daily cap', async () => {
  const app = await tight.createApp();
  const ip = '203.0.113.1';
  assertError(await match(tight, app, { mode, ip, descriptors: stranger }), 'no_match');
  const refused = await atOnce(201, () => enroll(tight, app, { mode, ip, challengeId: 'ch_x' }));
  assert.equal(tally(refused), { '429 rate_limited': 201 });
  assert.is((await enroll(tight, app, { mode, ip: '203.0.113.2' })).status, 201);
});

test('matches beyond the minute of an app take nothing from its daily cap', async () => {
  const app = await tight.createApp();
  const answers = await atOnce(1_010, () => match(tight, app, { mode, challengeId: 'ch_x' }));
  assert.equal(tally(answers), { '400 challenge_invalid': 3, '429 rate_limited': 1_007 });
  tight.clock.advance(60_000);
  assertError(await match(tight, app, { mode, challengeId: 'ch_x' }), 'challenge_invalid');
});

test('a daily cap that is full leaves the challenge unused', async () => {
  const app = await tight.createApp();
  const calls = await atOnce(200, () => enroll(tight, app, { mode, challengeId: 'ch_x' }));
  assert.equal(tally(calls), { '400 challenge_invalid': 200 });
  const { challenge_id: challengeId } = await challenge(tight, app, mode);
  assertError(await enroll(tight, app, { mode, challengeId }), 'rate_limited');
  assertError(await match(tight, app, { mode, challengeId, descriptors: stranger }), 'no_match');
});

test.run();
