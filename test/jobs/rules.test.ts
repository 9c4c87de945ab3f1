/** When jobs run, and the moments at which they begin to delete. */
import * as assert from 'uvu/assert';
import { assertError, call, enrolled, faces, match, server } from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const test = suite('rules: jobs');
const run = serviceFor(test, { env: { SIGNING_KEY_DAYS: '3' } });

async function job(name: string): Promise<number> {
  const { code, json, stderr } = await run.cli(['job', 'run', name]);
  assert.is(code, 0, stderr);
  return json.affected;
}

test('challenges, keys and revocations are seen to every hour, people and events once a day', async () => {
  const { jobs } = (await run.cli(['job', 'list'])).json;
  for (const { name, schedule } of jobs) {
    const hourly = ['challenges', 'signing-key', 'tokens', 'data-keys'].includes(name);
    assert.match(schedule, hourly ? /^[0-5]?\d \* \* \* \*$/ : /^[0-5]?\d ([01]?\d|2[0-3]) \* \* \*$/, name);
  }
});

test('SIGNING_KEY_DAYS decides when keys rotate', async () => {
  const kids = async () => (await call(run, 'GET', '/.well-known/jwks.json')).json.keys.length;
  run.clock.advance(3 * DAY - MINUTE);
  assert.equal([await job('signing-key'), await kids()], [0, 1]);
  run.clock.advance(MINUTE);
  assert.equal([await job('signing-key'), await kids()], [1, 2]);
  assert.is(await job('signing-key'), 0, 'not while two are published');
});

test('after 30 days the events of a test user are gone with the user, and a tombstone is left', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app, { mode: 'test' });
  assert.is((await match(run, app, { mode: 'test' })).status, 200);
  const events = () => run.rows('SELECT type, user_id, sealed FROM auth_events WHERE app_id = ?', app.id);
  assert.is(events().filter(event => event.user_id === user.id).length, 2);
  run.clock.advance(30 * DAY);
  assert.ok((await job('test-users')) >= 1);
  assert.equal(events(), [{ type: 'user_deleted', user_id: null, sealed: null }]);
  assert.equal(run.rows('SELECT 1 FROM consents WHERE user_id = ?', user.id), []);
  assert.equal(run.rows('SELECT 1 FROM templates WHERE user_id = ?', user.id), []);
});

/** To the same moment three years later, and so many milliseconds more. */
function threeYearsFrom(moment: number, more: number): void {
  const end = new Date(moment);
  end.setUTCFullYear(end.getUTCFullYear() + 3);
  run.clock.advance(end.getTime() + more - run.clock.now());
}

test('a person is kept for three years without a sign-in, to the minute', async () => {
  const app: TestApp = await run.createApp();
  const read = (id: string) => call(run, 'GET', `/v1/users/${id}`, { headers: server(app) });
  const enrolledAt = run.clock.now();
  const never = (await enrolled(run, app, { descriptors: [faces.genuine(0)] })).user.id;
  const once = (await enrolled(run, app, { descriptors: [faces.genuine(1)] })).user.id;
  run.clock.advance(DAY);
  const signedInAt = run.clock.now();
  assert.is((await match(run, app, { descriptors: [faces.genuine(1)] })).status, 200);
  await job('events');
  for (const [id, from] of [
    [never, enrolledAt],
    [once, signedInAt],
  ] as const) {
    threeYearsFrom(from, -MINUTE);
    await job('retention');
    assert.is((await read(id)).status, 200, 'a minute before');
    threeYearsFrom(from, MINUTE);
    assert.is(await job('retention'), 1);
    assertError(await read(id), 'not_found', 'a minute after');
  }
  for (const table of ['users', 'templates'])
    assert.equal(run.rows(`SELECT 1 FROM ${table} WHERE app_id = ?`, app.id), [], table);
  const left = run.rows(
    `SELECT type, user_id FROM auth_events WHERE app_id = ? AND type = 'user_deleted'`,
    app.id,
  );
  assert.equal(left, [
    { type: 'user_deleted', user_id: null },
    { type: 'user_deleted', user_id: null },
  ]);
  assertError(await match(run, app, { descriptors: [faces.genuine(1)] }), 'no_match');
});

test.run();
