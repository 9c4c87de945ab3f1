import {
  assertError,
  browser,
  call,
  challenge,
  enrolled,
  faces,
  match,
  planFile,
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

test('a plan that is used up', async () => {
  const app = await run.createApp({ plan: 'one' });
  await enrolled(run, app, { ip: address() });
  await run.restart();
  const answer = await call(run, 'POST', '/v1/challenges', { headers: browser(app), ip: address() });
  assertError(answer, 'plan_limit_reached');
});

test('a challenge that was used stays used', async () => {
  const app = await run.createApp();
  const ip = address();
  const { challenge_id: challengeId } = await challenge(run, app, 'live', ip);
  assertError(await match(run, app, { ip, challengeId, descriptors: stranger }), 'no_match');
  await run.restart();
  assertError(await match(run, app, { ip, challengeId, descriptors: stranger }), 'challenge_invalid');
});

test.run();
