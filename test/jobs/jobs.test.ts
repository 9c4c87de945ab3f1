/** What the scheduled jobs change for an application, seen from outside. */
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
  someEmail,
  soon,
} from '../support/client.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const test = suite('jobs');
const run = serviceFor(test);

async function job(name: string): Promise<number> {
  const { code, json, stderr } = await run.cli(['job', 'run', name]);
  assert.is(code, 0, stderr);
  assert.is(json.job, name);
  return json.affected;
}

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
  run.clock.advance(120_000);
  assert.is(await job('test-users'), 1);
  assertError(await match(run, app, own), 'no_match', 'afterwards');
  const second = await enrolled(run, app, { ...own, fields: { email } });
  assert.is.not(second.user.id, first.user.id);
  assert.is((await match(run, app, { descriptors: [faces.genuine(0)] })).status, 200, 'the live one');
});

test('a user is gone after three years without sign-in', async () => {
  const app = await run.createApp();
  const [idle, active] = [faces.genuine(0), faces.genuine(1)].map(face => ({ descriptors: [face] }));
  await enrolled(run, app, idle);
  await enrolled(run, app, active);
  run.clock.advance(2 * 366 * DAY);
  assert.is((await match(run, app, active)).status, 200);
  await job('retention');
  run.clock.advance(366 * DAY);
  await job('retention');
  assertError(await match(run, app, idle), 'no_match', 'three years and a day or more');
  assert.is((await match(run, app, active)).status, 200, 'signed in a year ago');
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

test.run();
