/** The feeds by secret key: events in order and by type, revocations that a token may still meet, and bad parameters. */
import * as assert from 'uvu/assert';
import { TOKEN_LIFETIME_SECONDS, VERIFIERS_BEHIND } from '../../src/protocol/limits.ts';
import { OUTBOX_TYPES } from '../../src/protocol/outbox.ts';
import {
  type Answer,
  assertError,
  call,
  decoded,
  enrolled,
  faces,
  iso,
  type Json,
  type Mode,
  match,
  server,
} from '../support/client.ts';
import { deleteMe, logout } from '../support/me.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('feeds');
const run = serviceFor(test);
const LIFETIME = TOKEN_LIFETIME_SECONDS * 1_000;

const get = (app: TestApp, path: string, mode: Mode = 'live'): Promise<Answer> =>
  call(run, 'GET', `/v1/${path}`, { headers: server(app, mode) });
const got = async (app: TestApp, path: string, mode: Mode = 'live'): Promise<Json> => {
  const answer = await get(app, path, mode);
  assert.is(answer.status, 200, answer.text);
  return answer.json;
};
const seqs = (page: Json): number[] => page.events.map(({ seq }: Json) => seq);
const types = (page: Json): string[] => page.events.map(({ type }: Json) => type);

/** Enrols people, and signs the first in twice and out once. */
async function busyApp(mode: Mode = 'live', people = 2) {
  const app = await run.createApp();
  const all = [];
  for (let n = 0; n < people; n++)
    all.push(await enrolled(run, app, { mode, descriptors: [faces.genuine(n)] }));
  const sessions = [await match(run, app, { mode }), await match(run, app, { mode })];
  await logout(run, sessions[0]?.json.token);
  return { app, people: all, tokens: sessions.map(({ json }) => json.token as string) };
}

for (const mode of ['live', 'test'] as const)
  test(`an event says what happened to whom and when, and is the same each time (${mode})`, async () => {
    const { app, people, tokens } = await busyApp(mode);
    const page = await got(app, 'events?after=0', mode);
    const [enrolment, , signIn, , signOut] = page.events;
    const { sub, jti, exp } = decoded(tokens[0] as string).claims;
    const data = {
      app_id: app.id,
      livemode: mode === 'live',
      user_id: sub,
      jti,
      expires_at: iso(exp * 1_000),
    };
    const { id, ...rest } = signOut;
    assert.match(id, /^evt_[0-9a-z]{25}$/);
    assert.equal(rest, { seq: 5, type: 'user.signed_out', timestamp: iso(run.clock.now()), data });
    assert.equal(signIn.data, { ...data, method: 'face' });
    assert.is(enrolment.data.jti, decoded(people[0].token).claims.jti);
    assert.equal(types(page), [
      'user.enrolled',
      'user.enrolled',
      'user.signed_in',
      'user.signed_in',
      'user.signed_out',
    ]);
    assert.equal([page.next_after, page.oldest], [5, 1]);
    assert.equal(await got(app, 'events?after=0', mode), page);
    assert.equal(await got(app, 'events?after=0', mode === 'live' ? 'test' : 'live'), {
      events: [],
      next_after: 0,
      oldest: null,
    });
  });

test('pages of any size hold each event once, in order', async () => {
  const { app } = await busyApp('live', 4);
  for (const limit of [1, 2, 3, 6, 7, 8, 100]) {
    const seen: number[] = [];
    for (let after = 0, page: Json; !page || page.events.length > 0; after = page.next_after) {
      page = await got(app, `events?after=${after}&limit=${limit}`);
      assert.ok(page.events.length <= limit);
      seen.push(...seqs(page));
    }
    assert.equal(seen, [1, 2, 3, 4, 5, 6, 7], `by ${limit}`);
  }
});

test('a hundred events an answer unless told', async () => {
  const app = await run.createApp();
  const { token } = await enrolled(run, app);
  for (let n = 0; n < 50; n++) {
    const { json } = await match(run, app);
    await logout(run, json.token);
  }
  await logout(run, token);
  const page = await got(app, 'events?after=0');
  assert.equal([page.events.length, page.next_after], [100, 100]);
  assert.equal(seqs(await got(app, 'events?after=100')), [101, 102]);
});

test('without "after": no events, but where the next one comes', async () => {
  const { app } = await busyApp();
  assert.equal(await got(app, 'events'), { events: [], next_after: 5, oldest: 1 });
  await match(run, app);
  assert.equal(types(await got(app, 'events?after=5')), ['user.signed_in']);
  const empty = await run.createApp();
  assert.equal(await got(empty, 'events'), { events: [], next_after: 0, oldest: null });
});

test('beyond the newest there is nothing, and "after" stays', async () => {
  const { app } = await busyApp();
  for (const after of [5, 6, 999_999_999_999_999])
    assert.equal(await got(app, `events?after=${after}`), { events: [], next_after: after, oldest: 1 });
});

test('by type, and what is of others is behind the reader', async () => {
  const { app } = await busyApp();
  const page = await got(app, 'events?after=0&types=user.signed_out,user.enrolled');
  assert.equal([seqs(page), page.next_after], [[1, 2, 5], 5]);
  const first = await got(app, 'events?after=0&types=user.signed_out,user.enrolled&limit=2');
  assert.equal([seqs(first), first.next_after], [[1, 2], 2]);
  assert.equal(await got(app, 'events?after=2&types=user.deleted'), { events: [], next_after: 5, oldest: 1 });
});

test('what is no longer kept is left out, and "oldest" tells it', async () => {
  const { app } = await busyApp();
  run.change('DELETE FROM outbox WHERE app_id = ? AND seq <= 2', app.id);
  const page = await got(app, 'events?after=0');
  assert.equal([seqs(page), page.oldest, page.next_after], [[3, 4, 5], 3, 5]);
  run.change('DELETE FROM outbox WHERE app_id = ?', app.id);
  assert.equal(await got(app, 'events?after=3'), { events: [], next_after: 5, oldest: null });
});

test('rows that the service did not write are no events, and hide none', async () => {
  const { app } = await busyApp();
  for (const seq of [1, 3])
    run.change(`UPDATE outbox SET at = at + 1 WHERE app_id = ? AND seq = ${seq}`, app.id);
  const page = await got(app, 'events?after=0&limit=1');
  assert.equal([seqs(page), page.next_after], [[2], 2]);
  assert.equal(seqs(await got(app, 'events?after=2&limit=1')), [4]);
});

test('a deleted user leaves no event but the last', async () => {
  const { app, people } = await busyApp();
  await deleteMe(run, people[1].token);
  const page = await got(app, 'events?after=0');
  assert.equal(seqs(page), [1, 3, 4, 5, 6]);
  const { data } = page.events.at(-1);
  assert.equal([data.user_id, data.reason], [people[1].user.id, 'self']);
});

const BAD: readonly [feed: string, query: string, field: string][] = [
  ...['-1', '1.5', 'x', '', '1e3', '01', '+1', '9999999999999999', '1&after=2', '%00'].map(
    (after): [string, string, string] => ['events', `after=${after}`, 'after'],
  ),
  ...['0', '101', 'x', '', '1.5', '1&limit=2'].map((limit): [string, string, string] => [
    'events',
    `limit=${limit}`,
    'limit',
  ]),
  ...[
    '',
    'user',
    '*',
    'webhook.test',
    'user.enrolled,',
    'user.enrolled,%20user.deleted',
    'user.deleted&types=x',
  ].map((some): [string, string, string] => ['events', `types=${some}`, 'types']),
  ...['events', 'revocations'].flatMap(feed =>
    ['-1', '26', 'x', '', '0.5', '1&wait=1'].map((wait): [string, string, string] => [
      feed,
      `wait=${wait}`,
      'wait',
    ]),
  ),
  ...['', '0', '5', 'x', 'a.b', '.', '%00', 'a&after=b'].map((after): [string, string, string] => [
    'revocations',
    `after=${after}`,
    'after',
  ]),
];
for (const [feed, query, field] of BAD)
  test(`refused: ${feed}?${query}`, async () => {
    const app = await run.createApp();
    const answer = await get(app, `${feed}?${query}`);
    assertError(answer, 'invalid_request');
    assert.match(answer.json.error.message, new RegExp(`^${field}: `));
  });

test('the message lists the types that there are', async () => {
  const { error } = (await get(await run.createApp(), 'events?types=user.left')).json;
  for (const type of OUTBOX_TYPES) assert.match(error.message, type);
});

const token = (jwt: string) => {
  const { jti, exp } = decoded(jwt).claims;
  return { kind: 'token', jti, expires_at: iso(exp * 1_000) };
};

test('revocations: all at first, then only those that came', async () => {
  const { app, people, tokens } = await busyApp();
  const first = await got(app, 'revocations');
  assert.equal(first.revocations, [token(tokens[0] as string)]);
  assert.is(first.as_of, iso(run.clock.now()));
  const nothing = await got(app, `revocations?after=${first.next_after}`);
  assert.equal(nothing.revocations, []);
  run.clock.advance(400);
  await deleteMe(run, people[1].token);
  const before = Math.floor(run.clock.now() / 1_000 + 1) * 1_000;
  const erased = {
    kind: 'user',
    user_id: people[1].user.id,
    issued_before: iso(before),
    expires_at: iso(before + LIFETIME),
  };
  for (const page of [first, nothing])
    assert.equal((await got(app, `revocations?after=${page.next_after}`)).revocations, [erased]);
  assert.equal((await got(app, 'revocations')).revocations, [token(tokens[0] as string), erased]);
});

test('a revocation leaves five minutes after the last token that it names has ended', async () => {
  const { app } = await busyApp();
  run.clock.advance(LIFETIME + VERIFIERS_BEHIND - 1_000);
  assert.is((await got(app, 'revocations')).revocations.length, 1);
  run.clock.advance(1_000);
  assert.equal((await got(app, 'revocations')).revocations, []);
});

test('after all tokens were revoked, every reader hears of it once, whatever the app', async () => {
  const apps = [await busyApp(), await busyApp('test')];
  const read = (after = '') =>
    Promise.all(
      apps.map(({ app }, n) => got(app, `revocations${after && `?after=${after}`}`, n ? 'test' : 'live')),
    );
  const starts = await read();
  run.clock.advance(5_000);
  const { code, stderr } = await run.cli(['signing-key', 'rotate', '--revoke-old']);
  assert.is(code, 0, stderr);
  for (const [n, { app }] of apps.entries()) {
    const mode = n ? 'test' : 'live';
    const page = await got(app, `revocations?after=${starts[n].next_after}`, mode);
    const [all, ...more] = page.revocations;
    assert.equal([all.kind, Object.keys(all).length, more], ['all', 3, []]);
    assert.is(Date.parse(all.expires_at) - Date.parse(all.issued_before), LIFETIME);
    assert.is(all.issued_before, iso(Math.floor(run.clock.now() / 1_000) * 1_000));
    assert.equal((await got(app, `revocations?after=${page.next_after}`, mode)).revocations, []);
  }
  assert.equal(
    (await read()).map(({ revocations }) => revocations.map(({ kind }: Json) => kind)),
    [
      ['all', 'token'],
      ['all', 'token'],
    ],
  );
});

test('a cursor is good for its own app and mode, and as it is', async () => {
  const [{ app }, { app: other }] = [await busyApp(), await busyApp()];
  const { next_after: cursor } = await got(app, 'revocations');
  assertError(await get(app, `revocations?after=${cursor}`, 'test'), 'invalid_request', 'other mode');
  assertError(await get(other, `revocations?after=${cursor}`), 'invalid_request', 'other app');
  const users = (await got(app, 'users?limit=1')).next_cursor;
  const [position = '', seal = ''] = cursor.split('.');
  const moved = Buffer.from(JSON.stringify([0, 0])).toString('base64url');
  for (const forged of [users, `${moved}.${seal}`, position, `${cursor}.x`, `${position}.${seal.slice(1)}`])
    assertError(await get(app, `revocations?after=${forged}`), 'invalid_request', forged);
});

test('a cursor outlives a restart', async () => {
  const { app } = await busyApp();
  const { next_after } = await got(app, 'revocations');
  await run.restart();
  const { token } = await enrolled(run, app, { descriptors: [faces.genuine(9)] });
  await logout(run, token);
  const { revocations } = await got(app, `revocations?after=${next_after}`);
  assert.is(revocations.length, 1);
});

test.run();
