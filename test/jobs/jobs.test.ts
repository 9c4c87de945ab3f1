/** When the scheduled jobs run, and what they change for an application, seen from outside. */
import * as assert from 'uvu/assert';
import {
  assertError,
  call,
  challenges,
  decoded,
  enrolled,
  faces,
  type Json,
  match,
  server,
  someEmail,
  soon,
} from '../support/client.ts';
import { serviceFor, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const test = suite('jobs');
const run = serviceFor(test);

async function job(name: string): Promise<number> {
  const { code, json, stderr } = await run.cli(['job', 'run', name]);
  assert.is(code, 0, stderr);
  assert.is(json.job, name);
  return json.affected;
}

test('challenges, keys and revocations are seen to every hour, people and events once a day', async () => {
  const { jobs } = (await run.cli(['job', 'list'])).json;
  for (const { name, schedule } of jobs) {
    const hourly = ['challenges', 'signing-key', 'tokens', 'data-keys', 'outbox'].includes(name);
    assert.match(schedule, hourly ? /^[0-5]?\d \* \* \* \*$/ : /^[0-5]?\d ([01]?\d|2[0-3]) \* \* \*$/, name);
  }
});

test('a test user is gone 30 days after enrolling; a live one is not', async () => {
  const app = await run.createApp();
  const email = someEmail();
  const person = { mode: 'test', descriptors: [faces.genuine(0)] } as const;
  const own = { ...person, descriptors: [...person.descriptors] };
  const first = await enrolled(run, app, { ...own, fields: { email } });
  await enrolled(run, app, { descriptors: [faces.genuine(0)], fields: { email } });
  run.clock.advance(30 * DAY - 60_000);
  assert.is(await job('test-users'), 0);
  assert.is((await match(run, app, own)).json.user?.id, first.user.id, 'a minute before');
  const events = () => run.rows('SELECT type FROM auth_events WHERE user_id = ?', first.user.id).length;
  assert.is(events(), 2);
  run.clock.advance(120_000);
  assert.is(await job('test-users'), 1);
  assert.is(events(), 0);
  const deleted = `SELECT user_id, sealed FROM auth_events WHERE app_id = ? AND type = 'user_deleted'`;
  assert.equal(run.rows(deleted, app.id), [{ user_id: null, sealed: null }], 'a tombstone is left');
  for (const table of ['consents', 'templates'])
    assert.equal(run.rows(`SELECT 1 FROM ${table} WHERE user_id = ?`, first.user.id), [], table);
  assertError(await match(run, app, own), 'no_match', 'afterwards');
  const second = await enrolled(run, app, { ...own, fields: { email } });
  assert.is.not(second.user.id, first.user.id);
  assert.is((await match(run, app, { descriptors: [faces.genuine(0)] })).status, 200, 'the live one');
});

/** To the same moment three years later, and so many milliseconds more. */
function threeYearsFrom(moment: number, more: number): void {
  const end = new Date(moment);
  end.setUTCFullYear(end.getUTCFullYear() + 3);
  run.clock.advance(end.getTime() + more - run.clock.now());
}

test('a person is kept for three years without a sign-in, to the minute', async () => {
  const app = await run.createApp();
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
    assert.ok((await job('retention')) >= 1);
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

test('events go after 400 days, the counts stay', async () => {
  const app = await run.createApp();
  await enrolled(run, app);
  const count = (table: string) =>
    run.rows(`SELECT count(*) AS n FROM ${table} WHERE app_id = ?`, app.id)[0].n;
  run.clock.advance(400 * DAY - HOUR);
  await job('events');
  assert.is(count('auth_events'), 1);
  run.clock.advance(2 * HOUR);
  assert.ok((await job('events')) >= 1);
  assert.is(count('auth_events'), 0);
  assert.is(count('usage'), 1);
});

test('what apps were told goes after 7 days, in the hour', async () => {
  const app = await run.createApp();
  await enrolled(run, app);
  const count = () => run.rows('SELECT count(*) AS n FROM outbox WHERE app_id = ?', app.id)[0].n;
  run.clock.advance(7 * DAY - HOUR);
  await job('outbox');
  assert.is(count(), 1);
  run.clock.advance(2 * HOUR);
  assert.ok((await job('outbox')) >= 1);
  assert.is(count(), 0);
});

test('entries of the audit log go after 400 days, and the rest still follows from them', async () => {
  const app = await run.createApp();
  const rename = (name: string) => run.cli(['app', 'update', app.id, '--name', name]);
  const [oldest, newest] = ['min', 'max'].map(
    which => () => run.rows(`SELECT ${which}(seq) AS seq FROM audit_log`)[0].seq as number,
  ) as [() => number, () => number];
  await rename('first');
  const first = newest();
  run.clock.advance(400 * DAY - HOUR);
  await rename('second');
  const second = newest();
  await job('audit');
  assert.ok(oldest() <= first);
  run.clock.advance(2 * HOUR);
  await job('audit');
  assert.is(oldest(), second);
  const { json } = await run.cli(['doctor']);
  const log = json.checks.find(({ name }: Json) => name === 'audit log');
  assert.ok(log.ok, log.detail);
});

test('expired challenges are removed', async () => {
  const app = await run.createApp();
  await challenges(run, app, 5);
  run.clock.advance(61_000);
  await job('challenges');
  assert.is(run.rows('SELECT count(*) AS n FROM challenges')[0].n, 0);
});

test('keys rotate by themselves after 30 days, in the same steps', async () => {
  const app = await run.createApp();
  await enrolled(run, app);
  await run.cli(['signing-key', 'rotate', '--revoke-old']);
  const kids = async () => {
    const { keys } = (await call(run, 'GET', '/.well-known/jwks.json')).json;
    return keys.map((key: { kid: string }) => key.kid) as string[];
  };
  const signer = async () => decoded((await match(run, app)).json.token).header.kid as string;
  await soon(async () => (await kids()).length === 1, 'one key');
  const [old = ''] = await kids();
  run.clock.advance(29 * DAY);
  await job('signing-key');
  assert.equal(await kids(), [old], 'after 29 days');
  run.clock.advance(25 * HOUR);
  await job('signing-key');
  await soon(async () => (await kids()).length === 2, 'a new key after 30 days');
  assert.is(await signer(), old, 'the new one waits');
  run.clock.advance(10 * 60_000);
  await job('signing-key');
  await soon(async () => (await signer()) !== old, 'the new one signs');
});

test('SIGNING_KEY_DAYS decides when keys rotate', async () => {
  await using other = await startService({ env: { SIGNING_KEY_DAYS: '3' } });
  const rotated = async () => (await other.cli(['job', 'run', 'signing-key'])).json.affected;
  const kids = async () => (await call(other, 'GET', '/.well-known/jwks.json')).json.keys.length;
  other.clock.advance(3 * DAY - MINUTE);
  assert.equal([await rotated(), await kids()], [0, 1]);
  other.clock.advance(MINUTE);
  assert.equal([await rotated(), await kids()], [1, 2]);
  assert.is(await rotated(), 0, 'not while two are published');
});

test.run();
