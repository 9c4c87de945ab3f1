/** What a restart of the service leaves as it was. */
import * as assert from 'uvu/assert';
import {
  assertError,
  browser,
  call,
  challenge,
  enroll,
  enrolled,
  faces,
  match,
  planFile,
  tally,
} from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('restart');
const run = serviceFor(test, {
  env: {
    LIMIT_IP_PER_MINUTE: '30',
    LIMIT_FAILED_MATCHES: '3',
    BASE_URL: 'https://id.example.com',
    PLANS_FILE: planFile({ one: 1 }),
  },
});

let addresses = 0;
const address = () => `203.0.113.${++addresses}`;
const stranger = [faces.stranger(1)];

test('the window of failed matches, with the time that is left of it', async () => {
  const [app, ip] = [await run.createApp(), address()];
  for (let n = 0; n < 3; n++)
    assertError(await match(run, app, { ip, descriptors: stranger }), 401, 'no_match');
  run.clock.advance(60_000);
  await run.restart();
  const answer = await match(run, app, { ip, descriptors: stranger });
  assertError(answer, 429, 'rate_limited');
  assert.is(answer.headers['retry-after'], String(14 * 60));
});

test('the enrolls of a day in test mode', async () => {
  const app = await run.createApp();
  const mode = 'test';
  const { user } = await enrolled(run, app, { mode, ip: address() });
  const again = async (count: number) => {
    const calls = Array.from({ length: count }, () => {
      return enroll(run, app, { mode, ip: `2001:db8:${++addresses}::1`, fields: { email: user.email } });
    });
    return tally(await Promise.all(calls));
  };
  assert.equal(await again(150), { '409 email_taken': 150 });
  await run.restart();
  assert.equal(await again(60), { '409 email_taken': 49, '429 rate_limited': 11 });
});

test('a plan that is used up', async () => {
  const app = await run.createApp({ plan: 'one' });
  await enrolled(run, app, { ip: address() });
  await run.restart();
  const answer = await call(run, 'POST', '/v1/challenges', { headers: browser(app), ip: address() });
  assertError(answer, 429, 'plan_limit_reached');
});

test('a challenge that was used stays used', async () => {
  const app = await run.createApp();
  const ip = address();
  const { challenge_id: challengeId } = await challenge(run, app, 'live', ip);
  assertError(await match(run, app, { ip, challengeId, descriptors: stranger }), 401, 'no_match');
  await run.restart();
  assertError(await match(run, app, { ip, challengeId, descriptors: stranger }), 400, 'challenge_invalid');
});

test.run();
