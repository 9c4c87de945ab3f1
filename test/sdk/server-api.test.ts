/** Users, usage and app by the server SDK, before a real service. */
import * as assert from 'uvu/assert';
import { createVerifier, ServiceError, type Verifier } from '../../src/sdk/server/index.ts';
import { decoded, enrolled, faces, type Mode, match } from '../support/client.ts';
import { appFor, serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { countedFetch } from './server-support.ts';

const test = suite('server SDK: users and usage');
let live: Verifier;
const people: { id: string; email: string; created_at: string }[] = [];

const sdkOf = (of: TestApp, mode: Mode, more: object = {}) =>
  createVerifier({
    issuer: run.base,
    appId: of.id,
    mode,
    secretKey: of[mode].sk,
    now: run.clock.now,
    ...more,
  });

const run = serviceFor(test);
const app = appFor(test, run, { name: 'Shop' });
test.before(async () => {
  live = sdkOf(app, 'live');
  for (let person = 0; person < 5; person++) {
    people.push((await enrolled(run, app, { descriptors: [faces.genuine(person)] })).user);
    run.clock.advance(1_000);
  }
  await enrolled(run, app, { mode: 'test' });
});

async function refused(asking: Promise<unknown>): Promise<ServiceError> {
  const error = await asking.then(
    () => assert.unreachable('it was answered'),
    thrown => thrown,
  );
  assert.instance(error, ServiceError, String(error));
  return error;
}

test('a page, the next one, and all of them, in the order of enrolment', async () => {
  const first = await live.users.list({ limit: 2 });
  assert.is(first.users.length, 2);
  assert.equal(first.users[0], {
    id: people[0]?.id,
    email: people[0]?.email,
    name: 'Ada',
    createdAt: new Date(people[0]?.created_at as string),
    lastSignInAt: null,
  });
  const second = await live.users.list({ limit: 3, cursor: first.nextCursor as string });
  assert.is(second.nextCursor, null);
  const ids = people.map(({ id }) => id);
  assert.equal(
    [...first.users, ...second.users].map(({ id }) => id),
    ids,
  );
  assert.is((await live.users.list()).users.length, 5);
  for (const limit of [1, 2, 5, 100]) {
    const all: string[] = [];
    for await (const { id } of live.users.all({ limit })) all.push(id);
    assert.equal(all, ids, `by ${limit}`);
  }
});

test('the walk asks for a page when it is there, and not before', async () => {
  const { fetch, asked } = countedFetch();
  for await (const user of sdkOf(app, 'live', { fetch }).users.all({ limit: 2 })) {
    assert.ok(user.id);
    break;
  }
  assert.equal(asked, { '/v1/users': 1 });
});

test('one user, with the last sign-in', async () => {
  await match(run, app, { descriptors: [faces.genuine(1, 1)] });
  const user = await live.users.get(people[1]?.id as string);
  assert.equal(user.lastSignInAt, new Date(run.clock.now()));
});

test('the modes are apart', async () => {
  const { users } = await sdkOf(app, 'test').users.list();
  assert.is(users.length, 1);
  assert.is((await refused(live.users.get(users[0]?.id as string))).code, 'not_found');
});

test('who is deleted is gone, and is not deleted twice', async () => {
  const { user } = await enrolled(run, app, { descriptors: [faces.genuine(9)] });
  assert.is(await live.users.delete(user.id), undefined);
  assert.is((await refused(live.users.get(user.id))).code, 'not_found');
  const again = await refused(live.users.delete(user.id));
  assert.equal([again.code, again.status], ['not_found', 404]);
});

test('an id of another form is nobody, and leads nowhere else', async () => {
  const { fetch, asked } = countedFetch();
  const { users } = sdkOf(app, 'live', { fetch });
  for (const id of ['', '..', '../usage', 'usr_1/..', 'usr_', 'usr_a?x', 'usr_a#', 'usr_%2e', undefined, 7])
    for (const ask of [users.get, users.delete])
      assert.is((await refused(ask(id as string))).code, 'not_found', String(id));
  assert.equal(asked, {});
});

test('what the service refuses is reported as it says it', async () => {
  const bad = await refused(live.users.list({ limit: 101 }));
  assert.equal([bad.code, bad.status], ['invalid_request', 400]);
  assert.match(bad.message, /limit/);
  assert.is((await refused(live.users.list({ cursor: 'x' }))).code, 'invalid_request');
  assert.is((await refused(live.usage({ month: '2026-13' }))).code, 'invalid_request');
  const stranger = sdkOf(app, 'live', { secretKey: `svc_sk_live_${'A'.repeat(32)}` });
  assert.is((await refused(stranger.app())).code, 'unauthorized');
});

test('usage, of this month and of another, in both modes; the app', async () => {
  const usage = await live.usage();
  assert.equal(usage, {
    month: new Date(run.clock.now()).toISOString().slice(0, 7),
    auths: usage.enrolls + usage.matchesOk + usage.matchesFailed,
    limit: null,
    enrolls: 6,
    matchesOk: 1,
    matchesFailed: 0,
    mode: 'live',
  });
  assert.equal((await live.usage({ month: '2020-01' })).auths, 0);
  assert.equal((await sdkOf(app, 'test').usage()).mode, 'test');
  const small = await run.createApp({ plan: 'free' });
  assert.is((await sdkOf(small, 'live').usage()).limit, 1_000);
  assert.equal(await live.app(), { id: app.id, name: 'Shop' });
});

test('an answer without what it should have is unexpected', async () => {
  for (const json of [
    {},
    [],
    { users: [{}], next_cursor: null },
    { users: 'x', next_cursor: null },
    { users: [] },
  ]) {
    const broken = sdkOf(app, 'live', { fetch: async () => Response.json(json) });
    assert.is((await refused(broken.users.list())).code, 'unexpected_answer', JSON.stringify(json));
  }
});

test('the key goes where the verifier was told to, and to no other route than was asked', async () => {
  const sent: [string, string | null][] = [];
  const fetch = async (url: unknown, init?: RequestInit) => {
    sent.push([String(url), new Headers(init?.headers).get('authorization')]);
    return globalThis.fetch(String(url), init);
  };
  const baseUrl = run.base.replace('127.0.0.1', 'localhost');
  const sdk = sdkOf(app, 'live', { fetch, baseUrl });
  await sdk.users.list({ limit: 1 });
  const { token } = (await match(run, app, { descriptors: [faces.genuine(0, 1)] })).json;
  assert.is((await sdk.verify(token)).sub, decoded(token).claims.sub);
  assert.equal(sent, [
    [`${baseUrl}/v1/users?limit=1`, `Bearer ${app.live.sk}`],
    [`${baseUrl}/.well-known/jwks.json`, null],
    [`${baseUrl}/v1/tokens/verify`, `Bearer ${app.live.sk}`],
  ]);
});

test.run();
