/** A user's own routes: what is told first of route, credential, Origin and body, and what a page may read of it. */
import * as assert from 'uvu/assert';
import { assertError, call, enrolled, type Headers, type Mode } from '../support/client.ts';
import { bearer, deleteMe, getMe, logout, ME_ROUTES } from '../support/me.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('me-order');
let token: string;
const run = serviceFor(test);
const app = appFor(test, run);
test.before(async () => {
  ({ token } = await enrolled(run, app));
});

const others: [string, string][] = [
  ['wrong media type', 'text/plain'],
  ['broken JSON', 'application/json'],
];

test('HEAD answers as GET, without a body', async () => {
  const answer = await call(run, 'HEAD', '/v1/me', { headers: bearer(token) });
  assert.equal([answer.status, answer.text], [200, '']);
  assert.is((await call(run, 'HEAD', '/v1/me')).status, 401);
});

for (const [what, type] of others)
  test(`the credential is reported before a body with ${what}`, async () => {
    const [out, gone] = [await run.createApp(), await run.createApp()];
    const signedOut = (await enrolled(run, out)).token;
    await logout(run, signedOut);
    const deleted = (await enrolled(run, gone)).token;
    await deleteMe(run, deleted);
    for (const [method, path] of ME_ROUTES) {
      const sent = { raw: '{', type };
      const by = (headers: Headers) => call(run, method, path, { ...sent, headers });
      assertError(await by({}), 'unauthorized', path);
      assertError(await by(bearer(signedOut)), 'token_revoked', path);
      assertError(await by(bearer(deleted)), 'not_found', path);
    }
  });

test('a body where none is specified is ignored, but not above 64 KB', async () => {
  const sent = { headers: bearer(token), raw: '{', type: 'text/plain' };
  assert.is((await call(run, 'GET', '/v1/me', sent)).status, 200);
  const long = { headers: bearer(token), raw: ' '.repeat(65_537) };
  for (const [method, path] of ME_ROUTES.filter(([method, , json]) => !json && method !== 'GET'))
    assertError(await call(run, method, path, long), 'payload_too_large', `${method} ${path}`);
  assert.is((await getMe(run, token)).status, 200, 'neither signed out nor deleted');
  for (const [method, path] of [
    ['POST', '/v1/me/logout'],
    ['DELETE', '/v1/me'],
  ] as const) {
    const { token: own } = await enrolled(run, await run.createApp());
    const answer = await call(run, method, path, { ...sent, headers: bearer(own) });
    assert.is(answer.status, 204, `${method} ${path} ${answer.text}`);
  }
});

for (const mode of ['live', 'test'] as Mode[])
  for (const origin of ['https://never-listed.example', 'http://localhost:5173', 'null', 'nonsense'])
    test(`a token is good from any Origin: ${origin} (${mode})`, async () => {
      const own = await run.createApp({ origins: ['https://listed.example'] });
      const of = await enrolled(run, own, { mode });
      const headers = { ...bearer(of.token), origin };
      assert.is((await call(run, 'GET', '/v1/me', { headers })).json?.user?.id, of.user.id);
      const renamed = await call(run, 'PATCH', '/v1/me', { headers, json: { name: 'B' } });
      assert.is(renamed.status, 200, renamed.text);
      for (const path of ['/v1/me/email', '/v1/me/email/confirm', '/v1/me/templates'])
        assertError(await call(run, 'POST', path, { headers, json: {} }), 'invalid_request', path);
      assert.is((await call(run, 'POST', '/v1/me/logout', { headers })).status, 204);
    });

test.run();
