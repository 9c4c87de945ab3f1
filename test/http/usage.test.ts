/** GET /v1/usage: what was counted, month by month and mode by mode. */
import * as assert from 'uvu/assert';
import {
  assertError,
  call,
  challenge,
  enroll,
  enrolled,
  faces,
  type Json,
  type Mode,
  match,
  planFile,
  server,
} from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('usage');
const run = serviceFor(test, { env: { PLANS_FILE: planFile({ small: 7 }) } });

async function usage(app: TestApp, query = '', mode: Mode = 'live'): Promise<Json> {
  const answer = await call(run, 'GET', `/v1/usage${query}`, { headers: server(app, mode) });
  assert.is(answer.status, 200, answer.text);
  return answer.json;
}

const zero = { auths: 0, enrolls: 0, matches_ok: 0, matches_failed: 0 };

test('nothing yet: zeros in the current month, with the limit of the plan', async () => {
  const month = new Date(run.clock.now()).toISOString().slice(0, 7);
  assert.equal(await usage(await run.createApp({ plan: 'small' })), {
    month,
    limit: 7,
    ...zero,
    livemode: true,
  });
  assert.equal(await usage(await run.createApp()), { month, limit: null, ...zero, livemode: true });
});

test('each call counts where it should', async () => {
  const app = await run.createApp({ plan: 'small' });
  await challenge(run, app);
  await enrolled(run, app);
  assert.is((await enroll(run, app)).json.error.code, 'face_already_enrolled');
  assert.is((await enroll(run, app, { fields: { consent: null } })).json.error.code, 'consent_required');
  assert.is((await match(run, app)).status, 200);
  assert.is((await match(run, app, { descriptors: [faces.stranger(0)] })).status, 401);
  assert.is((await match(run, app, { challengeId: 'ch_unknown' })).status, 400);
  const { month: _, ...counts } = await usage(app);
  assert.equal(counts, { limit: 7, auths: 4, enrolls: 1, matches_ok: 1, matches_failed: 1, livemode: true });
});

test('test calls are counted apart, without a limit', async () => {
  const app = await run.createApp({ plan: 'small' });
  await enrolled(run, app, { mode: 'test' });
  const { month, ...counts } = await usage(app, '', 'test');
  assert.equal(counts, { ...zero, limit: null, auths: 1, enrolls: 1, livemode: false });
  assert.equal(await usage(app), { month, limit: 7, ...zero, livemode: true });
});

test('a month begins at its first instant in UTC', async () => {
  const app = await run.createApp();
  run.clock.advance(Date.parse('2026-05-01T00:00:00.000Z') - 1 - run.clock.now());
  await enrolled(run, app);
  run.clock.advance(1);
  assert.is((await match(run, app)).status, 200);
  assert.equal([(await usage(app)).month, (await usage(app)).auths], ['2026-05', 1]);
  assert.is((await usage(app, '?month=2026-04')).enrolls, 1);
  for (const month of ['0000-01', '1999-12', '2026-06', '9999-12'])
    assert.equal(await usage(app, `?month=${month}`), { month, limit: null, ...zero, livemode: true });
});

test('a month is named once, and wrongly by its field', async () => {
  const headers = server(await run.createApp());
  const answer = await call(run, 'GET', '/v1/usage?month=2026-01&month=2026-02', { headers });
  assertError(answer, 'invalid_request');
  assert.match(answer.json.error.message, /^month: /);
});

test.run();
