/** Limits that meet each other: which of them a refused call has taken from. */
import * as assert from 'uvu/assert';
import { assertError, atOnce, challenge, enroll, enrolled, faces, match, tally } from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const mode = 'test';
const test = suite('rules: limits');
const run = serviceFor(test, { env: { LIMIT_FAILED_MATCHES: '1', LIMIT_APP_PER_MINUTE: '3' } });

const stranger = [faces.stranger(1)];

test('the budget of an app holds in test mode too', async () => {
  const app = await run.createApp();
  await enrolled(run, app, { mode });
  for (let n = 0; n < 3; n++) assert.is((await match(run, app, { mode })).status, 200);
  const answer = await match(run, app, { mode });
  assertError(answer, 'rate_limited');
  assert.is(answer.headers['retry-after'], '60');
});

test('calls that another limit refuses take nothing from a daily cap', async () => {
  const app = await run.createApp();
  const ip = '203.0.113.1';
  assertError(await match(run, app, { mode, ip, descriptors: stranger }), 'no_match');
  const refused = await atOnce(201, () => enroll(run, app, { mode, ip, challengeId: 'ch_x' }));
  assert.equal(tally(refused), { '429 rate_limited': 201 });
  assert.is((await enroll(run, app, { mode, ip: '203.0.113.2' })).status, 201);
});

test('matches beyond the minute of an app take nothing from its daily cap', async () => {
  const app = await run.createApp();
  const answers = await atOnce(1_010, () => match(run, app, { mode, challengeId: 'ch_x' }));
  assert.equal(tally(answers), { '400 challenge_invalid': 3, '429 rate_limited': 1_007 });
  run.clock.advance(60_000);
  assertError(await match(run, app, { mode, challengeId: 'ch_x' }), 'challenge_invalid');
});

test('a daily cap that is full leaves the challenge unused', async () => {
  const app = await run.createApp();
  const calls = await atOnce(200, () => enroll(run, app, { mode, challengeId: 'ch_x' }));
  assert.equal(tally(calls), { '400 challenge_invalid': 200 });
  const { challenge_id: challengeId } = await challenge(run, app, mode);
  assertError(await enroll(run, app, { mode, challengeId }), 'rate_limited');
  assertError(await match(run, app, { mode, challengeId, descriptors: stranger }), 'no_match');
});

test.run();
