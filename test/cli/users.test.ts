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
import { assertLike, ISO, text } from '../support/process.ts';
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
});

test('user delete erases at once for the running server too, which forgets the face', async () => {
  const [gone, kept] = [people[2], people[3]];
  const person = (i: number) => ({ descriptors: [faces.genuine(i, 1)] });
  assert.is((await match(run, app, person(2))).json.user.id, gone.id);
  assert.equal((await run.cli(['user', 'delete', gone.id, '--yes'])).json, { deleted: true });
  await soon(async () => (await match(run, app, person(2))).status === 401, 'the face is forgotten');
  assertError(await call(run, 'GET', `/v1/users/${gone.id}`, { headers: secretKey(app) }), 'not_found');
  assert.is((await match(run, app, person(3))).json.user.id, kept.id);
  assert.not(storedBytes(run).includes(gone.id));
  const journal = readFileSync(join(run.dataDir, 'erasures.jsonl'), 'utf8').trim().split('\n');
  // The command and the running service may both write the line: each is sure only of its own.
  assert.is(new Set(journal.map(line => JSON.parse(line).hash)).size, 1);
});

test.run();
