/** Where the limits stand in the order of checks: what is told before them, and what they come before. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  browser,
  call,
  challenges,
  enroll,
  enrolled,
  faces,
  type Headers,
  match,
  planFile,
  type Sent,
  server,
  someEmail,
  usage,
} from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const stranger = [faces.stranger(1)];
const test = suite('order-of-limits');
const run = serviceFor(test, { env: { PLANS_FILE: planFile({ tiny: 1 }) } });
const limited = serviceFor(test, {
  env: {
    LIMIT_IP_PER_MINUTE: '30',
    LIMIT_SECRET_KEY_PER_MINUTE: '5',
    LIMIT_FAILED_MATCHES: '2',
    LIMIT_APP_PER_MINUTE: '20',
  },
});

const post = (path: string, headers: Headers, sent: Sent = {}) =>
  call(run, 'POST', path, { ...sent, headers });
const wrongOrigin = (app: TestApp) => browser(app, 'live', 'https://other.example');

/** An app whose plan of one auth is used up. */
async function spent(): Promise<TestApp> {
  const app = await run.createApp({ plan: 'tiny' });
  await enrolled(run, app);
  return app;
}
const late: [string, string, (app: TestApp, challengeId: string) => Promise<Answer>][] = [
  [
    'wrong field, plan used up',
    'invalid_request',
    (app, challengeId) => match(run, app, { challengeId, descriptors: [] }),
  ],
  [
    'no consent, plan used up',
    'consent_required',
    (app, challengeId) => enroll(run, app, { challengeId, fields: { consent: {} } }),
  ],
  ['plan used up, unknown challenge', 'plan_limit_reached', app => match(run, app, { challengeId: 'ch_x' })],
  [
    'plan used up, taken email',
    'plan_limit_reached',
    (app, challengeId) => enroll(run, app, { challengeId, fields: { email: 'taken@example.com' } }),
  ],
  [
    'plan used up, face enrolled before',
    'plan_limit_reached',
    (app, challengeId) => enroll(run, app, { challengeId }),
  ],
];
for (const [name, code, make] of late) {
  test(`${name}: ${code}`, async () => {
    const app = await run.createApp({ plan: 'tiny' });
    const ids = await challenges(run, app, 2);
    const first = await enroll(run, app, {
      challengeId: ids[0] ?? '',
      fields: { email: 'taken@example.com' },
    });
    assert.is(first.status, 201, first.text);
    assertError(await make(app, ids[1] ?? ''), code);
    assert.is(usage(run, app).auths, 1);
  });
}

test('plan used up, wrong Origin: 403; wrong key: 401', async () => {
  const app = await spent();
  assertError(await post('/v1/challenges', wrongOrigin(app)), 'origin_not_allowed');
  assertError(await post('/v1/challenges', server(app)), 'unauthorized');
  assertError(await post('/v1/challenges', browser(app)), 'plan_limit_reached');
});

test('request limit of a secret key: after credential and Origin, before the body', async () => {
  const app = await limited.createApp();
  const to = (headers: Headers, sent: Sent = {}) =>
    call(limited, 'POST', '/v1/tokens/verify', { ...sent, headers });
  for (let n = 0; n < 5; n++) assert.is((await to(server(app), { json: { token: 'x' } })).status, 200);
  assertError(await to({ ...server(app), origin: 'https://other.example' }), 'origin_not_allowed');
  assertError(await to(server(app), { raw: 'x', type: 'text/plain' }), 'rate_limited');
  assertError(await to(server(app), { raw: '{' }), 'rate_limited');
  assertError(await to(server(app)), 'rate_limited');
});

test('failed-match limit: after the fields, before the challenge', async () => {
  const app = await limited.createApp();
  const ip = '198.51.100.2';
  const [challengeId = ''] = await challenges(limited, app, 1);
  for (let n = 0; n < 2; n++)
    assertError(await match(limited, app, { ip, descriptors: stranger }), 'no_match');
  assertError(await match(limited, app, { ip, descriptors: [[]] }), 'invalid_request', 'wrong field');
  assertError(await enroll(limited, app, { ip, fields: { consent: {} } }), 'consent_required', 'no consent');
  assertError(await match(limited, app, { ip, challengeId: 'ch_x' }), 'rate_limited', 'unknown challenge');
  assertError(await match(limited, app, { ip, challengeId }), 'rate_limited', 'good challenge');
  assertError(
    await match(limited, app, { ip: '198.51.100.3', challengeId }),
    'no_match',
    'it was not used up',
  );
});

test('per-minute budget of an app: after the fields, before the challenge', async () => {
  const app = await limited.createApp();
  let address = 0;
  const ip = () => `198.51.101.${++address}`;
  const [challengeId = ''] = await challenges(limited, app, 1);
  await enrolled(limited, app, { ip: ip() });
  for (let n = 0; n < 20; n++) assert.is((await match(limited, app, { ip: ip() })).status, 200);
  assertError(await match(limited, app, { ip: ip(), descriptors: [] }), 'invalid_request', 'wrong field');
  assertError(
    await match(limited, app, { ip: ip(), challengeId: 'ch_x' }),
    'rate_limited',
    'unknown challenge',
  );
  assertError(await match(limited, app, { ip: ip(), challengeId }), 'rate_limited', 'good challenge');
  const first = await enroll(limited, app, {
    ip: ip(),
    challengeId,
    descriptors: [faces.genuine(1)],
    fields: { email: someEmail() },
  });
  assert.is(first.status, 201, 'the challenge was not used up, and enroll has no part in this budget');
});

test.run();
