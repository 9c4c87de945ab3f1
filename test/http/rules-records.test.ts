/** What a call leaves in the data folder, and what it must not leave there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import {
  assertError,
  assertLacks,
  browser,
  call,
  challenge,
  consent,
  enrolled,
  faces,
  type Json,
  type Mode,
  match,
  someEmail,
} from '../support/client.ts';
import { inFileOnly } from '../support/on-postgres.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('rules: records');
const inFile = inFileOnly(test);
const run = serviceFor(test, { env: { LIMIT_FAILED_MATCHES: '5' } });

const agent = 'Camera/7 (test)';

/** A call with a face, from a named browser. */
async function post(app: TestApp, path: string, ip: string, fields: object): Promise<Json> {
  const { challenge_id } = await challenge(run, app);
  const headers = { ...browser(app), 'user-agent': agent };
  return call(run, 'POST', path, { headers, ip, json: { challenge_id, ...fields } });
}

test('an enroll keeps the consent: notice, time, address and user agent', async () => {
  const app = await run.createApp();
  run.clock.advance(1_234);
  const fields = { email: someEmail(), descriptors: [faces.genuine(0)], consent };
  const answer = await post(app, '/v1/enroll', '203.0.113.9', fields);
  assert.is(answer.status, 201, answer.text);
  const consents = run.opened('consents').filter(({ user_id }) => user_id === answer.json.user.id);
  assert.equal(consents, [
    {
      user_id: answer.json.user.id,
      policy_version: consent.policy_version,
      accepted_at: run.clock.now(),
      ip: '203.0.113.9',
      user_agent: agent,
    },
  ]);
});

test('a match keeps its liveness, address and user agent on its event, found or not', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  const rows: [string, string, number[], string | null][] = [
    ['match', 'found', faces.genuine(0, 1), user.id],
    ['match_failed', 'near', faces.atDistance(0, 0.37), user.id],
    ['match_failed', 'far', faces.stranger(1), null],
  ];
  for (const [type, check, descriptor, userId] of rows) {
    const liveness = { score: 0.25, checks: [check] };
    await post(app, '/v1/match', '203.0.113.10', { descriptors: [descriptor], liveness });
    const event = run
      .opened('auth_events')
      .find(row => row.app_id === app.id && row.liveness?.checks[0] === check);
    const { id: _, app_id: __, mode: ___, ...rest } = event;
    const at = run.clock.now();
    const client = { ip: '203.0.113.10', user_agent: agent, liveness };
    assert.equal(rest, { type, at, user_id: userId, ...client }, check);
  }
});

test('a challenge that was used leaves no row', async () => {
  const app = await run.createApp();
  const left = () => run.rows('SELECT 1 FROM challenges WHERE app_id = ?', app.id).length;
  await challenge(run, app);
  assert.is(left(), 1);
  await enrolled(run, app);
  await match(run, app);
  await match(run, app, { descriptors: [faces.stranger(1)] });
  assert.is(left(), 1, 'the one that nobody used');
});

inFile('no key is readable in the data folder', async () => {
  const app = await run.createApp();
  const files = readdirSync(run.dataDir, { withFileTypes: true }).filter(file => file.isFile());
  const bytes = Buffer.concat(files.map(file => readFileSync(join(run.dataDir, file.name))));
  assert.ok(bytes.includes(app.id), 'what is stored in the clear is found');
  for (const key of [app.live.pk, app.live.sk, app.test.pk, app.test.sk])
    for (const part of [key, key.slice(12)]) assert.not(bytes.includes(part));
});

test('no counter holds an address or an email', async () => {
  const app = await run.createApp();
  const ip = '203.0.113.11';
  const { user } = await enrolled(run, app, { ip });
  const near = [faces.atDistance(0, 0.37)];
  assertError(await match(run, app, { ip, descriptors: near }), 'no_match');
  const keys: string[] = run.rows('SELECT key FROM windows WHERE app_id = ?', app.id).map(row => row.key);
  assert.is(keys.length, 2, 'one for the address, one for the person');
  for (const key of keys)
    for (const personal of [ip, user.email, user.email.split('@')[0], user.id])
      assert.not(key.toLowerCase().includes(personal), key);
});

/** Moves the one sealed template of a live user with `change`, and tells what a search of the place it went to answers. */
async function searchAfter(change: string, at: 'app' | 'other', mode: Mode): Promise<number> {
  const apps = { app: await run.createApp(), other: await run.createApp() };
  const { user } = await enrolled(run, apps.app);
  // A place for it: galleries whose sequence is beyond that of the template, and another user.
  const away = { descriptors: [faces.genuine(1), faces.genuine(1, 1)] };
  const beside = (await enrolled(run, apps.app, away)).user.id;
  await enrolled(run, apps.app, { ...away, mode: 'test' });
  await enrolled(run, apps.other, away);
  const database = new Database(join(run.dataDir, 'face-sign-in.db'));
  database.pragma('foreign_keys = OFF');
  database
    .prepare('DELETE FROM templates WHERE app_id IN (?, ?) AND user_id <> ?')
    .run(apps.app.id, apps.other.id, user.id);
  const values = { user: user.id, beside, other: apps.other.id };
  const moved = database.prepare(`UPDATE templates SET ${change} WHERE user_id = @user`).run(values);
  assert.is(moved.changes, 1);
  database.close();
  await run.restart();
  return (await match(run, apps[at], { mode })).status;
}

const places: [string, string, 'app' | 'other', Mode, boolean][] = [
  ['its own place', 'id = id', 'app', 'live', true],
  ['another user', 'user_id = @beside', 'app', 'live', false],
  ['another template', "id = 'tpl_x'", 'app', 'live', false],
  ['the other mode', "mode = 'test'", 'app', 'test', false],
  ['another app', 'app_id = @other', 'other', 'live', false],
];
for (const [place, change, at, mode, opens] of places) {
  inFile(`a sealed template ${opens ? 'opens in' : 'does not open as that of'} ${place}`, async () => {
    const status = await searchAfter(change, at, mode);
    assert.is(status, opens ? 200 : 401);
  });
}

inFile('what nobody expected is 500 internal_error, and tells nothing of itself', async () => {
  const app = await run.createApp();
  const setOrigins = (text: string) => {
    const database = new Database(join(run.dataDir, 'face-sign-in.db'));
    const { allowed_origins: before } = database
      .prepare('SELECT allowed_origins FROM apps WHERE id = ?')
      .get(app.id) as Json;
    database.prepare('UPDATE apps SET allowed_origins = ? WHERE id = ?').run(text, app.id);
    database.close();
    return before;
  };
  const before = setOrigins('{');
  try {
    const answer = await call(run, 'GET', '/v1/app', { headers: { authorization: `Bearer ${app.live.sk}` } });
    assertError(answer, 'internal_error');
    assertLacks(answer, ['origins', 'position', 'SyntaxError', app.id, 'src/', '.ts']);
    const id = String(answer.headers['x-request-id']);
    const line = run.logs.find(one => one.includes(id) && one.includes('request failed'));
    assert.ok(line, 'the log tells');
  } finally {
    setOrigins(before);
  }
});

test.run();
