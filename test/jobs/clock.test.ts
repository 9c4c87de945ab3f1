/** What a wrong clock may do, and how to get out of it. The clock of the guard is on here. */
import * as assert from 'uvu/assert';
import { JOBS } from '../../src/jobs/jobs.ts';
import { assertError, browser, call, enrolled, faces, match, server, verify } from '../support/client.ts';
import { getMe } from '../support/me.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const YEARS = 4 * 366 * DAY;
const test = suite('jobs: a wrong clock');
const run = serviceFor(test, { env: { CLOCK_LEAP_DAYS: '30', LIMIT_IP_PER_MINUTE: '30' } });

const job = (name: string) => run.cli(['job', 'run', name]);
const health = async () => (await fetch(`${run.portal}/health`)).json();
const doctorClock = async () => {
  const { json } = await run.cli(['doctor']);
  return json.checks.find((check: { name: string }) => check.name === 'clock');
};
const clockProblems = async () =>
  (await health()).problems.filter(({ name }: { name: string }) => name === 'clock');

const ask = (app: TestApp, ip: string) => call(run, 'POST', '/v1/challenges', { headers: browser(app), ip });

/** The clock shows so much more for a while. */
async function withClockAhead(by: number, during: () => Promise<void>): Promise<void> {
  run.clock.advance(by);
  await during();
  run.clock.advance(-by);
}

test('after a leap nothing is deleted for its age, by whatever way, and all is as before when the clock is right', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  const tester = await enrolled(run, app, { mode: 'test', descriptors: [faces.genuine(1)] });
  const before = () =>
    ['users', 'auth_events', 'outbox', 'audit_log', 'signing_keys'].map(
      table => [table, Number(run.rows(`SELECT COUNT(*) AS n FROM ${table}`)[0].n)] as const,
    );
  const counts = before();
  await withClockAhead(YEARS, async () => {
    for (const { name, deletesByAge } of JOBS) {
      const { code, json, stderr } = await job(name);
      if (name === 'signing-key')
        assert.is(json.affected, 1, 'lifetimes follow the clock: a key can be rotated away again');
      assert.is(code, deletesByAge ? 1 : 0, `${name}: ${stderr}`);
      if (deletesByAge)
        assert.match(stderr, /clock cannot be believed: it shows 20\d\d-.* "clock accept" if it is right/);
    }
    assert.match((await clockProblems())[0].message, /^The clock has leapt: /);
    assert.is((await health()).status, 'degraded', 'it goes on serving');
    const found = await doctorClock();
    assert.is(found.ok, false);
    assert.match(found.detail, /clock accept/);
    assert.is((await match(run, app)).status, 200, 'sign-in goes on');
  });
  const now = new Map(before());
  for (const [table, n] of counts) assert.ok((now.get(table) ?? 0) >= n, table);
  for (const [id, mode] of [
    [user.id, 'live'],
    [tester.user.id, 'test'],
  ] as const)
    assert.is((await call(run, 'GET', `/v1/users/${id}`, { headers: server(app, mode) })).status, 200, mode);
  assert.equal(await clockProblems(), []);
  assert.is((await doctorClock()).ok, true);
});

test('a clock that is right after a long time off is accepted, and then jobs delete again', async () => {
  const app = await run.createApp();
  await enrolled(run, app, { mode: 'test' });
  run.clock.advance(31 * DAY);
  assert.is((await job('test-users')).code, 1);
  const { code, json } = await run.cli(['clock', 'accept']);
  assert.is(code, 0);
  assert.is(json.known_time, new Date(run.clock.now()).toISOString());
  assert.is((await job('test-users')).json.affected > 0, true);
  assert.equal(await clockProblems(), []);
  assert.is((await doctorClock()).ok, true);
});

test('a clock that was accepted wrongly is accepted again when it is right, and time goes on from there', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  run.clock.advance(YEARS);
  await run.cli(['clock', 'accept']);
  run.clock.advance(-YEARS);
  assert.match((await doctorClock()).detail, /The clock is behind: /);
  assert.match((await clockProblems())[0].message, /stands still/);
  for (const { name, deletesByAge } of JOBS) assert.is((await job(name)).code, deletesByAge ? 1 : 0, name);
  assert.is((await call(run, 'GET', `/v1/users/${user.id}`, { headers: server(app) })).status, 200);
  assert.is((await run.cli(['clock', 'accept'])).code, 0);
  assert.is((await doctorClock()).ok, true);
  assert.equal(await clockProblems(), []);
});

test('a clock that is wrong for a moment stops nothing', async () => {
  const app = await run.createApp();
  const ip = '203.0.113.9';
  await withClockAhead(29 * DAY, async () => void (await ask(app, ip)));
  for (let i = 0; i < 30; i++) await ask(app, ip);
  run.clock.advance(2 * MINUTE);
  assert.is((await ask(app, ip)).status, 200);
});

test('a limit that was filled under a clock ahead begins anew once the clock is right', async () => {
  const app = await run.createApp();
  const ip = '203.0.113.7';
  await withClockAhead(YEARS, async () => {
    for (let i = 0; i < 31; i++) await ask(app, ip);
    assert.is((await ask(app, ip)).status, 429);
  });
  assert.is((await ask(app, ip)).status, 200);
});

test('what was written under a clock ahead does not outlast it: codes, challenges, keys that end', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  const ends = ['challenges.expires_at', 'email_codes.expires_at', 'api_keys.ends_at'];
  const latest = () =>
    ends.map(end => {
      const [table, column] = end.split('.');
      return Number(run.rows(`SELECT MAX(${column}) AS at FROM ${table}`)[0].at ?? 0);
    });
  run.clock.advance(YEARS);
  await ask(app, '203.0.113.8');
  await call(run, 'POST', '/v1/email-codes', { headers: browser(app), json: { email: user.email } });
  const { json } = await run.cli(['key', 'list', '--app', app.id]);
  await run.cli(['key', 'roll', json.keys[0].id, '--ends-in', '7d']);
  assert.ok(
    latest().every(at => at > run.clock.now()),
    `${latest()}`,
  );
  run.clock.advance(-YEARS);
  assert.is((await run.cli(['clock', 'accept'])).code, 0);
  assert.ok(
    latest().every(at => at <= run.clock.now() + 8 * DAY),
    `${latest()}`,
  );
});

test('what was signed in under a clock ahead is signed in no longer than the clock was', async () => {
  const app = await run.createApp();
  const { token: before } = await enrolled(run, app);
  let token = '';
  await withClockAhead(YEARS, async () => {
    token = (await match(run, app)).json.token;
    assert.is((await verify(run, app, token)).json.valid, true, 'while it was ahead');
  });
  assert.equal((await verify(run, app, token)).json, { valid: false, reason: 'invalid' });
  assertError(await getMe(run, token), 'unauthorized');
  assert.is((await getMe(run, before)).status, 200);
});

test('a signing key of a clock ahead can be rotated away, and never more than two are published', async () => {
  const keys = async () => (await run.cli(['signing-key', 'list'])).json.keys;
  run.clock.advance(2 * DAY);
  // Refused if a test before has made one already.
  await withClockAhead(YEARS, async () => void (await run.cli(['signing-key', 'rotate'])));
  const ahead = (await keys()).some(
    ({ created_at }: { created_at: string }) => Date.parse(created_at) > run.clock.now(),
  );
  assert.ok(ahead, 'there is one of a clock ahead');
  assert.is((await run.cli(['signing-key', 'rotate', '--now'])).code, 0);
  const after = await keys();
  assert.equal(after.map(({ status }: { status: string }) => status).sort(), ['current', 'previous']);
  const current = after.find(({ status }: { status: string }) => status === 'current');
  assert.ok(Date.parse(current.created_at) <= run.clock.now(), 'it signs with one of the right time');
  run.clock.advance(DAY + MINUTE);
  assert.equal((await keys()).length, 1, 'the other one leaves after a day');
});

test.run();
