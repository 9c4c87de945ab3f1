/** Credentials in time: made, revoked, expired, gone. Which one opens which route: matrix.test.ts. */
import * as assert from 'uvu/assert';
import { type Answer, assertError, call, enrolled, type Json, match, soon } from '../support/client.ts';
import { bearer, getMe, logout } from '../support/me.ts';
import { appFor, serviceFor, type TestApp } from '../support/service.ts';
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

test('when the app is gone its tokens are invalid: 401 unauthorized, also those signed out', async () => {
  const { at, token: one } = await somebody();
  const revoked = (await match(run, at)).json.token;
  assert.is((await logout(run, revoked)).status, 204);
  assert.is((await run.cli(['app', 'delete', at.id, '--yes'])).code, 0);
  await soon(async () => (await getMe(run, one)).json?.error?.code === 'unauthorized', 'the deletion');
  assertError(await getMe(run, revoked), 'unauthorized', 'signed out');
});

test.run();
