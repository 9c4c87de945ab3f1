/** What an integrator's server sees and deletes: pages in order, one user, nothing of other apps and modes. */
import * as assert from 'uvu/assert';
import {
  assertError,
  call,
  enroll,
  enrolled,
  faces,
  iso,
  type Json,
  type Mode,
  match,
  server,
  verify,
} from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('users');
const run = serviceFor(test);

const get = (app: TestApp, path: string, mode: Mode = 'live') =>
  call(run, 'GET', `/v1/users${path}`, { headers: server(app, mode) });
const remove = (app: TestApp, id: string, mode: Mode = 'live') =>
  call(run, 'DELETE', `/v1/users/${id}`, { headers: server(app, mode) });

async function people(app: TestApp, count: number, mode: Mode = 'live'): Promise<Json[]> {
  const users = [];
  for (let i = 0; i < count; i++)
    users.push((await enrolled(run, app, { descriptors: [faces.genuine(i)], mode })).user);
  return users;
}

test('a user as enrolled, and after a sign-in', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app);
  assert.equal((await get(app, `/${user.id}`)).json, { ...user, last_sign_in_at: null });
  run.clock.advance(5_000);
  assert.is((await match(run, app)).status, 200);
  const answer = await get(app, `/${user.id}`);
  assert.equal(answer.json, { ...user, last_sign_in_at: iso(run.clock.now()) });
  assert.equal((await get(app, '')).json, { users: [answer.json], next_cursor: null });
});

test('pages in the order of creation, each user once, whatever their size', async () => {
  const app = await run.createApp();
  const ids = [];
  for (let i = 0; i < 7; i++) {
    // Some are created in the same millisecond: there the id decides.
    if (i % 3 === 0) run.clock.advance(1);
    ids.push({
      at: run.clock.now(),
      id: (await enrolled(run, app, { descriptors: [faces.genuine(i)] })).user.id,
    });
  }
  const expected = ids.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
  for (const limit of [1, 2, 3, 6, 7, 8, 100]) {
    const seen = [];
    let cursor: string | null = '';
    let pages = 0;
    do {
      const { json } = await get(app, `?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      seen.push(...json.users.map((user: Json) => user.id));
      assert.ok(json.users.length <= limit);
      cursor = json.next_cursor;
      pages += 1;
    } while (cursor);
    assert.equal(seen, expected, `pages of ${limit}`);
    assert.is(pages, Math.ceil(7 / limit));
  }
});

test('fifty users a page unless told, and a cursor outlives its user', async () => {
  const app = await run.createApp();
  await people(app, 52);
  const first = (await get(app, '')).json;
  assert.is(first.users.length, 50);
  await remove(app, first.users[49].id);
  const rest = (await get(app, `?cursor=${first.next_cursor}`)).json;
  assert.equal([rest.users.length, rest.next_cursor], [2, null]);
});

const WRONG_CURSORS = ['', 'x', 'a.b', 'x.', '.x', '..', '%00', 'a&cursor=b'].map(text => `cursor=${text}`);
for (const query of ['limit=1&limit=2', ...WRONG_CURSORS]) {
  test(`refused: ?${query}`, async () => {
    const app = await run.createApp();
    const answer = await get(app, `?${query}`);
    assertError(answer, 'invalid_request');
    assert.match(answer.json.error.message, query.startsWith('limit') ? /^limit: / : /^cursor: /);
  });
}

test('a cursor is good for its own app and mode, and as it is', async () => {
  const [app, other] = [await run.createApp(), await run.createApp()];
  for (const mode of ['live', 'test'] as const) await people(app, 2, mode);
  await people(other, 2);
  const cursor = (await get(app, '?limit=1')).json.next_cursor as string;
  assert.is((await get(app, `?cursor=${cursor}`)).status, 200);
  assertError(await get(app, `?cursor=${cursor}`, 'test'), 'invalid_request', 'other mode');
  assertError(await get(other, `?cursor=${cursor}`), 'invalid_request', 'other app');
  const [position = '', seal = ''] = cursor.split('.');
  const moved = Buffer.from(JSON.stringify([0, ''])).toString('base64url');
  for (const forged of [
    `${moved}.${seal}`,
    `${position}.${seal}.x`,
    `${position}.${seal.slice(1)}`,
    position,
    `${cursor}=`,
  ])
    assertError(await get(app, `?cursor=${encodeURIComponent(forged)}`), 'invalid_request', forged);
});

for (const id of ['usr_x', 'x', '%00', '%zz', 'usr_000000000000000000000000', "usr_'--", 'a%2Fb']) {
  test(`no such user: ${id}`, async () => {
    const app = await run.createApp();
    assertError(await get(app, `/${id}`), 'not_found');
    assertError(await remove(app, id), 'not_found');
  });
}

test('a deleted user is gone everywhere, at once, and may come back as somebody new', async () => {
  const app = await run.createApp();
  const email = 'Ana@Example.com';
  const first = await enrolled(run, app, { fields: { email } });
  const answer = await remove(app, first.user.id);
  assert.equal([answer.status, answer.text], [204, '']);
  assertError(await remove(app, first.user.id), 'not_found', 'a second time');
  assertError(await get(app, `/${first.user.id}`), 'not_found');
  assert.equal((await verify(run, app, first.token)).json, { valid: false, reason: 'user_not_found' });
  assertError(await match(run, app), 'no_match');
  const events = run.rows('SELECT type, user_id, sealed FROM auth_events WHERE app_id = ?', app.id);
  const bare = { user_id: null, sealed: null };
  assert.equal(
    events.filter(event => event.type === 'user_deleted'),
    [{ type: 'user_deleted', ...bare }],
  );
  assert.equal(
    events.find(event => event.type === 'enroll'),
    { type: 'enroll', ...bare },
  );

  for (const table of ['users', 'templates'])
    assert.equal(run.rows(`SELECT 1 FROM ${table} WHERE app_id = ?`, app.id), [], table);
  assert.equal(run.rows('SELECT 1 FROM consents WHERE user_id = ?', first.user.id), []);
  const again = await enroll(run, app, { fields: { email: email.toLowerCase() } });
  assert.is(again.status, 201, again.text);
  assert.is.not(again.json.user.id, first.user.id);
});

test.run();
