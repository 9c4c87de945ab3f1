/** `user list`, `show` and `delete` beside a running server. What is kept of one person: user-export.test.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import {
  assertError,
  call,
  enrolled,
  faces,
  type Json,
  match,
  server as secretKey,
  soon,
} from '../support/client.ts';
import { storedBytes } from '../support/me.ts';
import { assertLike, assertRefused, cli, ISO, newDataDir, text, within } from '../support/process.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: users');
const people: Json[] = [];

const run = serviceFor(test);
const app = appFor(test, run);
const other = appFor(test, run, { name: 'Other' });
test.before(async () => {
  for (let i = 0; i < 5; i++) {
    const fields = { email: `Person${i}@mail.example`, name: `Person ${i}` };
    people.push((await enrolled(run, app, { descriptors: [faces.genuine(i)], fields })).user);
    run.clock.advance(1_000);
  }
  await enrolled(run, app, { mode: 'test', descriptors: [faces.genuine(9)] });
});

const list = async (...more: string[]) => (await run.cli(['user', 'list', '--app', app.id, ...more])).json;
const ids = (page: Json) => page.users.map(({ id }: Json) => id);

test('the list has the user of the API with mode and number of templates', async () => {
  const { users, next_cursor } = await list();
  assert.is(next_cursor, null);
  const { json } = await call(run, 'GET', '/v1/users', { headers: secretKey(app) });
  const more = { email_verified: false, mode: 'live', template_count: 1 };
  assert.equal(
    users,
    json.users.map((user: Json) => ({ ...user, ...more })),
  );
  assert.equal(
    (await list('--mode', 'test')).users.map(({ mode }: Json) => mode),
    ['test'],
  );
});

test('pages follow one another; a cursor of another mode, or a made-up one, is wrong usage', async () => {
  const found: string[] = [];
  let cursor: string[] = [];
  for (let pages = 0; pages < 3; pages++) {
    const page = await list('--limit', '2', ...cursor);
    found.push(...ids(page));
    cursor = page.next_cursor === null ? [] : ['--cursor', page.next_cursor];
    assert.is(page.next_cursor === null, pages === 2);
  }
  assert.equal(
    found,
    people.map(({ id }) => id),
  );
  const { next_cursor } = await list('--limit', '1');
  for (const wrong of [
    ['--mode', 'test', '--cursor', next_cursor],
    ['--cursor', 'made.up'],
  ]) {
    const ran = await run.cli(['user', 'list', '--app', app.id, ...wrong]);
    assert.is(ran.code, 2);
    assert.match(ran.stderr, /--cursor is not the next_cursor /);
  }
});

test('an address is found in any case, in its own app and mode alone', async () => {
  const find = (where: string, ...more: string[]) =>
    run.cli(['user', 'list', '--app', where, '--email', 'pERSON3@mail.example', ...more]);
  assert.equal(ids((await find(app.id)).json), [people[3].id]);
  assert.equal((await find(app.id, '--mode', 'test')).json, { users: [], next_cursor: null });
  assert.equal((await find(other.id)).json, { users: [], next_cursor: null });
});

test('user show finds a user by the id alone', async () => {
  const { json } = await run.cli(['user', 'show', people[1].id]);
  assertLike(json, {
    user: {
      id: people[1].id,
      email: 'Person1@mail.example',
      name: 'Person 1',
      created_at: ISO,
      last_sign_in_at: null,
      email_verified: false,
      mode: 'live',
      template_count: 1,
      app_id: app.id,
    },
  });
});

test('people read columns, and what to do when there is nobody', async () => {
  const env = { DATA_DIR: run.dataDir };
  const lines = (await text(['user', 'list', '--app', app.id, '--limit', '2'], env)).trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^ID +EMAIL +VERIFIED +NAME +TEMPLATES +ENROLLED +LAST SIGN-IN$/);
  assert.match(lines[1] ?? '', /Person0@mail\.example +no +Person 0 +1 +2026-03-15 12:00:00 UTC +never$/);
  assert.match(lines.at(-1) ?? '', /^More: user list --app \S+ --mode live --cursor \S+$/);
  assert.match(await text(['user', 'list', '--app', other.id], env), /no live users yet: .*\/v1\/enroll/);
  assert.match(
    await text(['user', 'show', people[0].id], env),
    /email +Person0@mail\.example \(not verified\)/,
  );
});

test('a name that looks like a time stays a name, and the next page of a search is searched too', async () => {
  const named = await run.createApp();
  for (const i of [20, 21]) {
    await enrolled(run, named, {
      descriptors: [faces.genuine(i)],
      fields: { email: `time${i}@mail.example`, name: i === 20 ? '2026-01-01T0Z' : '2026-03-15T12:00:00Z' },
    });
    run.clock.advance(1_000);
  }
  const env = { DATA_DIR: run.dataDir };
  const shown = await text(['user', 'list', '--app', named.id, '--contains', 'time', '--limit', '1'], env);
  assert.match(shown, / 2026-01-01T0Z +1 /);
  assert.match(shown, /More: user list --app \S+ --mode live --contains time --cursor \S+$/m);
  const wrong = await run.cli(['user', 'list', '--app', named.id, '--contains', '']);
  assert.is(wrong.code, 2);
  assert.match(wrong.stderr, /--contains must not be empty; use: user list/);
});

test('without --yes: exit 2, and nobody is deleted', async () => {
  const ran = await run.cli(['user', 'delete', people[0].id]);
  assert.is(ran.code, 2);
  assert.match(ran.stderr, /--yes is required.*; use: user delete USER_ID --yes/);
  assert.is((await list()).users.length, 5);
});

test('user delete erases as the API does: rows, bytes, journal, and the running matcher forgets', async () => {
  const [gone, kept] = [people[2], people[3]];
  const person = (i: number) => ({ descriptors: [faces.genuine(i, 1)] });
  assert.is((await match(run, app, person(2))).json.user.id, gone.id);
  assert.equal((await run.cli(['user', 'delete', gone.id, '--yes'])).json, { deleted: true });
  await soon(async () => (await match(run, app, person(2))).status === 401, 'the face is forgotten');
  assertError(await call(run, 'GET', `/v1/users/${gone.id}`, { headers: secretKey(app) }), 'not_found');
  assert.is((await match(run, app, person(3))).json.user.id, kept.id);
  for (const table of ['users', 'templates', 'consents'])
    assert.is(
      run.rows(`SELECT * FROM ${table} WHERE ${table === 'users' ? 'id' : 'user_id'} = ?`, gone.id).length,
      0,
      table,
    );
  for (const marker of [gone.id, 'Person2@mail.example'])
    assert.not(storedBytes(run).includes(marker), marker);
  const journal = readFileSync(join(run.dataDir, 'erasures.jsonl'), 'utf8').trim().split('\n');
  // The command and the running service may both write the line: each is sure only of its own.
  assert.is(new Set(journal.map(line => JSON.parse(line).hash)).size, 1);
  const again = await run.cli(['user', 'delete', gone.id, '--yes']);
  assert.is(again.code, 1);
  assert.match(again.stderr, /there is no user "usr_/);
});

test('unknown apps and users, and a folder without a database: one line, exit 1, nothing made', async () => {
  const env = { DATA_DIR: run.dataDir };
  assertRefused(await within(['user', 'list', '--app', 'app_x'], env), 1, /there is no app "app_x"/);
  for (const verb of ['show', 'export'])
    assertRefused(await within(['user', verb, 'usr_x'], env), 1, /there is no user "usr_x": "user list/);
  const none = { DATA_DIR: newDataDir() };
  for (const args of [['user', 'list', '--app', 'x'], ['user', 'show', 'x'], ['events'], ['stats']])
    assertRefused(
      await cli(args, none),
      1,
      /there is no database .*: start the service once/,
      args.join(' '),
    );
  assert.throws(() => readFileSync(none.DATA_DIR), /ENOENT/);
});

test.run();
