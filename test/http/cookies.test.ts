/** First-party apps get their session as a cookie besides the token, and sign out with it; nobody else gets one. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  browser,
  call,
  enroll,
  faces,
  type Headers,
  type Mode,
  match,
  server,
  soon,
  verify,
} from '../support/client.ts';
import { byCode, freshCode, requestCode, verifyCode } from '../support/codes.ts';
import { addTemplates, bearer, getMe, logout, sessionCookie } from '../support/me.ts';
import { raw } from '../support/raw.ts';
import { type Running, serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const OTHER = 'https://other.example';
const test = suite('cookies');
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

for (const mode of ['live', 'test'] as const) {
  test(`a first-party app gets the session cookie with every token (${mode})`, async () => {
    const app = await run.createApp({ firstParty: true });
    const answers = [await enroll(run, app, { mode }), await match(run, app, { mode })];
    assert.equal(
      answers.map(answer => answer.status),
      [201, 200],
    );
    for (const answer of answers) {
      const { attributes } = sessionCookie(answer);
      const { expires: _, ...given } = attributes;
      assert.equal(given, {
        httponly: '',
        secure: '',
        samesite: attributes.samesite,
        path: '/v1',
        'max-age': '3600',
      });
      assert.is(attributes.samesite?.toLowerCase(), 'lax');
      assert.is(answer.json.token.split('.').length, 3, 'the token is in the body as well');
      assert.match(String(answer.headers['cache-control']), /no-store/);
    }
    assert.is.not(sessionCookie(answers[0] as Answer).value, sessionCookie(answers[1] as Answer).value);
  });
}

test('a third-party app never gets a cookie', async () => {
  const app = await run.createApp();
  for (const answer of [await enroll(run, app), await match(run, app)]) {
    assert.ok(answer.json.token);
    assert.is(answer.headers['set-cookie'], undefined);
  }
});

test('an answer without a token sets no cookie', async () => {
  const app = await run.createApp({ firstParty: true });
  await enroll(run, app);
  const answers = [
    await call(run, 'POST', '/v1/challenges', { headers: browser(app) }),
    await match(run, app, { descriptors: [faces.stranger(1)] }),
    await enroll(run, app),
    await match(run, app, { challengeId: 'ch_unknown' }),
    await requestCode(run, app, 'nobody@example.com'),
    await verifyCode(run, app, 'nobody@example.com', '123456'),
    await call(run, 'GET', '/v1/app', { headers: server(app) }),
    await call(run, 'POST', '/v1/match', {
      headers: browser(app, 'live', 'https://other.example'),
      json: {},
    }),
  ];
  for (const answer of answers) assert.is(answer.headers['set-cookie'], undefined, answer.text);
});

test('a cookie sent along changes nothing', async () => {
  const app = await run.createApp();
  for (const value of ['', 'x', '%', '"', 'a.b.c', 'x'.repeat(4_000)]) {
    const headers = { ...browser(app), cookie: `svc_session=${value}; svc_session=2; =; ;` };
    assert.is((await call(run, 'POST', '/v1/challenges', { headers })).status, 200, value.slice(0, 9));
  }
});

test('an app that becomes first-party gets the cookie at once, and loses it again', async () => {
  const app: TestApp = await run.createApp();
  await enroll(run, app);
  const has = async () => (await match(run, app)).headers['set-cookie'] !== undefined;
  assert.is(await has(), false);
  await run.cli(['app', 'update', app.id, '--first-party']);
  await soon(has, 'the cookie');
  await run.cli(['app', 'update', app.id, '--no-first-party']);
  await soon(async () => !(await has()), 'no cookie');
});

/** A head with cookies of other apps on this host name, so that URL and headers are of this size together. */
const head = (port: number, path: string, size: number) => {
  const lines = [`Host: 127.0.0.1:${port}`, 'Origin: https://shop.example', 'Connection: close'];
  if (port === portalPort()) lines.splice(1, 1);
  const own = path.length + lines.join('').length + 2 * lines.length + 'Cookie: '.length + 2;
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nCookie: ${'a'.repeat(size - own)}\r\n\r\n`;
};
const portalPort = () => Number(new URL(run.portal).port);
const KB = 1_024;

for (const [size, status, isReadable] of [
  [20 * KB, 200, true],
  [64 * KB, 200, true],
  [64 * KB + 1, 431, true],
  [95 * KB, 431, true],
  [97 * KB, 431, false],
] as const)
  test(`cookies of other apps: a head of ${size} bytes ${status === 200 ? 'reaches its route' : 'is 431'}, on the API and on the portal`, async () => {
    for (const [base, path] of [
      [run.base, '/v1/me'],
      [run.base, '/health'],
      [run.portal, '/nothing'],
      [run.portal, '/internal/session'],
    ] as const) {
      const [answer] = await raw({ base } as Running, head(Number(new URL(base).port), path, size));
      assert.ok(answer, path);
      if (status === 200) assert.ok([200, 401, 403, 404].includes(answer.status), answer.text);
      else {
        assertError(answer, 'headers_too_large', path);
        assert.match(answer.json.error.message, /larger than 64 KB, mostly because of cookies: delete those/);
      }
      const origin = base === run.base && isReadable ? 'https://shop.example' : undefined;
      assert.is(answer.headers['access-control-allow-origin'], origin, path);
    }
  });

test('1,000 headers are served; one more is 431, which says so', async () => {
  const own = ['Host: x', 'Connection: close'];
  const sent = async (count: number) => {
    const more = 'X: a\r\n'.repeat(count - own.length);
    const [answer] = await raw(run, `GET /health HTTP/1.1\r\n${own.join('\r\n')}\r\n${more}\r\n`);
    assert.ok(answer);
    return answer;
  };
  assert.is((await sent(1_000)).status, 200);
  const refused = await sent(1_001);
  assertError(refused, 'headers_too_large');
  assert.match(
    refused.json.error.message,
    /^The request has more than 1,000 headers or trailers, or its URL/,
  );
});

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
      assertError(await getMe(run, token), 'token_revoked');
      assert.ok(await isGood(other), 'the other session stays');
      const again = await by(cookie, origin);
      assertError(again, 'token_revoked', 'a second time');
      assert.is(again.headers['access-control-allow-credentials'], 'true', 'the page can read that');
      assertError(await logout(run, token), 'token_revoked', 'with the token');
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

test('the cookie of an app that is no longer first-party is none', async () => {
  const { app, token, cookie } = await somebody();
  await run.cli(['app', 'update', app.id, '--no-first-party']);
  await soon(async () => (await match(run, app)).headers['set-cookie'] === undefined, 'the change');
  assertError(await by(cookie, app.origin), 'unauthorized');
  assert.ok(await isGood(token));
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
