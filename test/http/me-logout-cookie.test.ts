/** Signing out with the session cookie of a first-party app, and the cookie's own end. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  call,
  enroll,
  enrolled,
  faces,
  type Headers,
  type Mode,
  match,
  server,
  soon,
  verify,
} from '../support/client.ts';
import { byCode, freshCode, verifyCode } from '../support/codes.ts';
import { addTemplates, bearer, deleteMe, getMe, logout, ME_ROUTES, sessionCookie } from '../support/me.ts';
import { serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const OTHER = 'https://other.example';
const test = suite('me-logout-cookie');
const run = serviceFor(test);

/** A user of a first-party app with the cookie of one session and the token of the same. */
async function somebody(mode: Mode = 'live', firstParty = true) {
  const app = await run.createApp({ firstParty, origins: ['https://own.example', 'https://two.example'] });
  const answer = await enroll(run, app, { mode });
  assert.is(answer.status, 201, answer.text);
  const { user, token } = answer.json;
  return { app, user, token, cookie: firstParty ? sessionCookie(answer).value : token };
}
const by = (cookie: string, origin?: string, more: Headers = {}): Promise<Answer> =>
  call(run, 'POST', '/v1/me/logout', {
    headers: { cookie: `svc_session=${cookie}`, ...(origin && { origin }), ...more },
  });
const isGood = async (token: string): Promise<boolean> => (await getMe(run, token)).status === 200;

function assertCleared(answer: Answer): void {
  const { value, attributes } = sessionCookie(answer);
  assert.is(value, '');
  const { expires, 'max-age': age, samesite, ...rest } = attributes;
  assert.equal(rest, { httponly: '', secure: '', path: '/v1' });
  assert.is(samesite?.toLowerCase(), 'lax');
  assert.ok(age === '0' || (age === undefined && Date.parse(expires ?? '') < run.clock.now()), 'over');
}

for (const mode of ['live', 'test'] as const)
  for (const origin of ['https://own.example', 'https://two.example'])
    test(`the cookie signs out its session from ${origin} (${mode})`, async () => {
      const { app, token, cookie } = await somebody(mode);
      const other = (await match(run, app, { mode })).json.token;
      const answer = await by(cookie, origin);
      assert.equal([answer.status, answer.text], [204, '']);
      assertCleared(answer);
      assert.is(answer.headers['access-control-allow-credentials'], 'true');
      assert.equal((await verify(run, app, token, mode)).json, { valid: false, reason: 'revoked' });
      assertError(await getMe(run, token), 401, 'token_revoked');
      assert.ok(await isGood(other), 'the other session stays');
      const again = await by(cookie, origin);
      assertError(again, 401, 'token_revoked', 'a second time');
      assert.is(again.headers['access-control-allow-credentials'], 'true', 'the page can read that');
      assertError(await logout(run, token), 401, 'token_revoked', 'with the token');
    });

test('a cookie of an app that is not first-party is 401 unauthorized, whatever became of its token', async () => {
  for (const end of [logout, deleteMe]) {
    const { token } = await somebody('live', false);
    assert.is((await end(run, token)).status, 204);
    assertError(await by(token, 'https://own.example'), 401, 'unauthorized');
  }
});

test('every way to sign in sets a cookie that signs out just that session', async () => {
  const { app, user } = await somebody();
  const { token } = await byCode(run, app, user.email);
  const code = await freshCode(run, app, user.email);
  const headers = { origin: app.origin };
  const answers = [
    await match(run, app),
    await addTemplates(run, app, token, [faces.genuine(0, 2)], { headers }),
    await verifyCode(run, app, user.email, code),
  ];
  for (const answer of answers) {
    const { value, attributes } = sessionCookie(answer);
    const { expires: _, samesite, ...given } = attributes;
    assert.equal(given, { httponly: '', secure: '', path: '/v1', 'max-age': '3600' });
    assert.is(samesite?.toLowerCase(), 'lax');
    assert.ok(await isGood(answer.json.token));
    assert.is((await by(value, app.origin)).status, 204);
    assert.not.ok(await isGood(answer.json.token));
  }
  assert.ok(await isGood(token));
});

test('logout by Bearer clears the cookie of a first-party app as well', async () => {
  const { app, token } = await somebody();
  const answer = await call(run, 'POST', '/v1/me/logout', {
    headers: { ...bearer(token), origin: app.origin },
  });
  assert.is(answer.status, 204);
  assertCleared(answer);
});

for (const origin of [
  undefined,
  OTHER,
  'null',
  'https://own.example:8443',
  'http://own.example',
  'https://OWN.example',
])
  test(`the cookie from a page that is not allowed is 403, and signs nobody out: ${origin}`, async () => {
    const { token, cookie } = await somebody();
    const answer = await by(cookie, origin);
    assertError(answer, 403, 'origin_not_allowed');
    assert.is(answer.headers['set-cookie'], undefined);
    assert.is(answer.headers['access-control-allow-credentials'], undefined);
    assert.ok(await isGood(token));
  });

test('the Origin of another app is not allowed', async () => {
  const { token, cookie } = await somebody();
  await run.createApp({ firstParty: true, origins: [OTHER] });
  assertError(await by(cookie, OTHER), 403, 'origin_not_allowed');
  assert.ok(await isGood(token));
});

test('localhost is allowed to test keys, not to the cookie of test mode', async () => {
  const { token, cookie } = await somebody('test');
  assertError(await by(cookie, 'http://localhost:5173'), 403, 'origin_not_allowed');
  assert.ok(await isGood(token));
});

test('a fault of the credential is reported before the Origin', async () => {
  for (const origin of [undefined, OTHER]) {
    for (const bad of ['', 'x', 'a.b.c']) assertError(await by(bad, origin), 401, 'unauthorized', bad);
    const { app, cookie } = await somebody();
    await by(cookie, app.origin);
    assertError(await by(cookie, origin), 401, 'token_revoked');
    const gone = await somebody();
    await deleteMe(run, gone.token);
    assertError(await by(gone.cookie, origin), 404, 'not_found');
    assertError(await by(gone.cookie, gone.app.origin), 404, 'not_found');
  }
});

test('an expired cookie is 401', async () => {
  const { app, cookie } = await somebody();
  run.clock.advance(3_600_000);
  assertError(await by(cookie, app.origin), 401, 'unauthorized');
});

test('the header wins over the cookie', async () => {
  const { app, token, cookie } = await somebody();
  const other = (await match(run, app)).json.token;
  for (const authorization of ['Bearer nonsense', `Bearer ${app.live.sk}`, `Bearer ${token}x`])
    assertError(await by(cookie, app.origin, { authorization }), 401, 'unauthorized');
  assert.ok(await isGood(token), 'a bad header does not fall back to the cookie');
  assert.is((await by(cookie, app.origin, bearer(other))).status, 204);
  assert.not.ok(await isGood(other));
  assert.ok(await isGood(token));
});

test('with a Bearer token the Origin is not asked for, cookie or not', async () => {
  const { token, cookie } = await somebody();
  assert.is((await by(cookie, OTHER, bearer(token))).status, 204);
});

test('the cookie is found among others', async () => {
  for (const around of [(c: string) => `a=b; ${c}; c=d`, (c: string) => `svc_sessions=x;${c}`]) {
    const { app, cookie } = await somebody();
    const headers = { cookie: around(`svc_session=${cookie}`), origin: app.origin };
    assert.is((await call(run, 'POST', '/v1/me/logout', { headers })).status, 204);
  }
  const { app, token, cookie } = await somebody();
  const headers = { cookie: `my_svc_session=${cookie}; svc_session2=${cookie}`, origin: app.origin };
  assertError(await call(run, 'POST', '/v1/me/logout', { headers }), 401, 'unauthorized');
  assert.ok(await isGood(token));
});

test('the cookie opens no other route of the user', async () => {
  const { app, token, cookie } = await somebody();
  const headers = { cookie: `svc_session=${cookie}`, origin: app.origin };
  for (const [method, path, json] of ME_ROUTES.filter(([, path]) => !path.endsWith('logout')))
    assertError(
      await call(run, method, path, { headers, ...(json && { json }) }),
      401,
      'unauthorized',
      `${method} ${path}`,
    );
  assert.ok(await isGood(token));
});

test('a token of a third-party app is no cookie', async () => {
  const { app, token } = await somebody('live', false);
  assertError(await by(token, app.origin), 401, 'unauthorized');
  assert.ok(await isGood(token));
});

test('the cookie of an app that is no longer first-party is none', async () => {
  const { app, token, cookie } = await somebody();
  await run.cli(['app', 'update', app.id, '--no-first-party']);
  await soon(async () => (await match(run, app)).headers['set-cookie'] === undefined, 'the change');
  assertError(await by(cookie, app.origin), 401, 'unauthorized');
  assert.ok(await isGood(token));
});

test('a key beside the cookie neither helps nor harms', async () => {
  const { app, token, cookie } = await somebody();
  assertError(await by('', app.origin, { 'x-svc-key': app.live.pk }), 401, 'unauthorized');
  assertError(await by(cookie, app.origin, server(app)), 401, 'unauthorized', 'a secret key as Bearer');
  assert.ok(await isGood(token));
  const other = await enrolled(run, await run.createApp());
  assert.is((await by(cookie, app.origin, { 'x-svc-key': app.live.pk })).status, 204);
  assert.ok(await isGood(other.token));
});

test('a page of the app may send its cookies along, a page of another Origin may not', async () => {
  const { app, token } = await somebody();
  for (const [origin, allowed] of [
    [app.origin, 'true'],
    ['https://two.example', 'true'],
    [OTHER, undefined],
  ] as const) {
    const answer = await call(run, 'GET', '/v1/me', { headers: { ...bearer(token), origin } });
    assert.is(answer.headers['access-control-allow-credentials'], allowed, origin);
  }
  for (const [origin, allowed] of [
    [app.origin, 'true'],
    ['https://never-listed.example', undefined],
  ] as const) {
    const headers = { origin, 'access-control-request-method': 'POST' };
    const asked = await call(run, 'OPTIONS', '/v1/me/logout', { headers });
    assert.equal([asked.status, asked.headers['access-control-allow-credentials']], [204, allowed], origin);
  }
});

test('an answer that clears or sets nothing sets no cookie', async () => {
  const { app, token } = await somebody();
  const headers = { ...bearer(token), origin: app.origin };
  const json = { name: 'B' };
  for (const answer of [
    await call(run, 'GET', '/v1/me', { headers }),
    await call(run, 'PATCH', '/v1/me', { headers, json }),
    await call(run, 'POST', '/v1/me/templates', { headers, json }),
  ])
    assert.is(answer.headers['set-cookie'], undefined, answer.text);
});

test.run();
