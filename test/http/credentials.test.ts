/** Credentials in time: made, revoked, expired, gone. Which one opens which route: matrix.test.ts. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  call,
  decoded,
  enrolled,
  type Json,
  match,
  server,
  soon,
} from '../support/client.ts';
import { bearer, getMe, logout } from '../support/me.ts';
import { appFor, serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('credentials');
const run = serviceFor(test);
const app = appFor(test, run);

/** A user who may be deleted, signed out or left behind. */
async function somebody(): Promise<{ at: TestApp; user: Json; token: string }> {
  const at = await run.createApp();
  return { at, ...(await enrolled(run, at)) };
}

test('a key in the query or the body is no credential', async () => {
  const query = `?key=${app.live.pk}&x-svc-key=${app.live.pk}&access_token=${app.live.sk}`;
  const headers = { origin: app.origin };
  assertError(await call(run, 'POST', `/v1/challenges${query}`, { headers }), 'unauthorized');
  assertError(await call(run, 'GET', `/v1/app${query}`), 'unauthorized');
  const json = { key: app.live.sk, authorization: `Bearer ${app.live.sk}`, token: 'x' };
  assertError(await call(run, 'POST', '/v1/tokens/verify', { json }), 'unauthorized');
});

test('the keys have the specified forms', () => {
  for (const mode of ['live', 'test'] as const) {
    assert.match(app[mode].pk, new RegExp(`^svc_pk_${mode}_[0-9A-Za-z]{24}$`));
    assert.match(app[mode].sk, new RegExp(`^svc_sk_${mode}_[0-9A-Za-z]{32}$`));
  }
});

interface Issued {
  id: string;
  key: string;
}
const kinds: [string, string, (key: string) => Promise<Answer>][] = [
  [
    'publishable',
    'live',
    key => call(run, 'POST', '/v1/challenges', { headers: { 'x-svc-key': key, origin: app.origin } }),
  ],
  [
    'publishable',
    'test',
    key => call(run, 'POST', '/v1/challenges', { headers: { 'x-svc-key': key, origin: app.origin } }),
  ],
  ['secret', 'live', key => call(run, 'GET', '/v1/app', { headers: bearer(key) })],
  ['secret', 'test', key => call(run, 'GET', '/v1/app', { headers: bearer(key) })],
];
for (const [type, mode, use] of kinds) {
  test(`a ${mode} ${type} key works at once when it is made, and stops when it is revoked, alone`, async () => {
    const make = async () =>
      (await run.cli(['key', 'create', '--app', app.id, '--type', type, '--mode', mode])).json as Issued;
    const [doomed, other] = [await make(), await make()];
    await soon(async () => (await use(doomed.key)).status === 200, 'the new key works');
    assert.is((await use(other.key)).status, 200);
    await run.cli(['key', 'revoke', doomed.id]);
    await soon(async () => (await use(doomed.key)).status === 401, 'the revoked key is refused');
    assertError(await use(doomed.key), 'unauthorized');
    assert.is((await use(other.key)).status, 200, 'the other key is untouched');
  });
}

test('a token of another issuer is refused, though the same key signed it', async () => {
  let moved = await startService();
  try {
    const there = await moved.createApp();
    const first = await enrolled(moved, there);
    assert.is((await getMe(moved, first.token)).status, 200);
    moved = await moved.restart();
    const again = (await match(moved, there)).json.token;
    assert.is.not(decoded(again).claims.iss, decoded(first.token).claims.iss);
    assert.is(decoded(again).header.kid, decoded(first.token).header.kid);
    assertError(await getMe(moved, first.token), 'unauthorized');
    assert.is((await getMe(moved, again)).status, 200);
  } finally {
    await moved.close();
  }
});

test('a token of a signing key that was revoked is refused', async () => {
  await using own = await startService();
  const { token: old } = await enrolled(own, await own.createApp());
  assert.is((await getMe(own, old)).status, 200);
  await own.cli(['signing-key', 'rotate', '--revoke-old']);
  await soon(async () => (await getMe(own, old)).status !== 200, 'the revocation');
  assertError(await getMe(own, old), 'unauthorized');
});

test('a token is good until its last second, and expired exactly one hour after it was issued', async () => {
  const { token: one } = await somebody();
  run.clock.advance(decoded(one).claims.exp * 1_000 - run.clock.now() - 1);
  assert.is((await getMe(run, one)).status, 200, 'a moment before');
  run.clock.advance(1);
  assertError(await getMe(run, one), 'unauthorized');
});

test('when the app is gone its tokens are invalid: 401 unauthorized, also those signed out', async () => {
  const { at, token: one } = await somebody();
  const revoked = (await match(run, at)).json.token;
  assert.is((await logout(run, revoked)).status, 204);
  assert.is((await run.cli(['app', 'delete', at.id, '--yes'])).code, 0);
  await soon(async () => (await getMe(run, one)).json?.error?.code === 'unauthorized', 'the deletion');
  assertError(await getMe(run, revoked), 'unauthorized', 'signed out');
});

test('revoked is reported before the deleted user', async () => {
  const { at, user, token: one } = await somebody();
  await logout(run, one);
  await call(run, 'DELETE', `/v1/users/${user.id}`, { headers: server(at) });
  assertError(await getMe(run, one), 'token_revoked');
});

test('expired is reported before revoked and before the deleted user', async () => {
  const { at, user, token: one } = await somebody();
  const second = (await match(run, at)).json.token;
  await logout(run, one);
  await call(run, 'DELETE', `/v1/users/${user.id}`, { headers: server(at) });
  run.clock.advance(3_600_000);
  assertError(await getMe(run, one), 'unauthorized', 'revoked');
  assertError(await getMe(run, second), 'unauthorized', 'deleted');
});

test.run();
