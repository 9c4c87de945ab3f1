/** First-party apps get their session as a cookie besides the token; nobody else gets a cookie. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  browser,
  call,
  enroll,
  faces,
  match,
  server,
  soon,
} from '../support/client.ts';
import { raw } from '../support/raw.ts';
import { type Running, serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('cookies');
const run = serviceFor(test);

function cookie(answer: Answer): { value: string; attributes: Record<string, string> } {
  const [line = '', ...more] = answer.headers['set-cookie'] ?? [];
  assert.equal(more, [], 'one cookie');
  const [pair = '', ...rest] = line.split(/;\s*/);
  assert.match(pair, /^svc_session=[^;\s]+$/);
  const attributes = Object.fromEntries(
    rest.map(text => [text.split('=')[0]?.toLowerCase(), text.split('=')[1] ?? '']),
  );
  return { value: pair.slice('svc_session='.length), attributes };
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
      const { attributes } = cookie(answer);
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
    assert.is.not(cookie(answers[0] as Answer).value, cookie(answers[1] as Answer).value);
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
    await call(run, 'GET', '/v1/app', { headers: server(app) }),
    await call(run, 'POST', '/v1/match', {
      headers: browser(app, 'live', 'https://other.example'),
      json: {},
    }),
  ];
  for (const answer of answers) assert.is(answer.headers['set-cookie'], undefined, answer.text);
});

test('the cookie is no credential for a browser route or a server route', async () => {
  const app = await run.createApp({ firstParty: true });
  const { value } = cookie(await enroll(run, app));
  const headers = { cookie: `svc_session=${value}`, origin: app.origin };
  for (const [method, path] of [
    ['POST', '/v1/challenges'],
    ['POST', '/v1/enroll'],
    ['POST', '/v1/match'],
    ['POST', '/v1/tokens/verify'],
    ['GET', '/v1/app'],
  ] as const) {
    assertError(await call(run, method, path, { headers }), 401, 'unauthorized', path);
  }
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
        assertError(answer, 431, 'headers_too_large', path);
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
  assertError(refused, 431, 'headers_too_large');
  assert.match(
    refused.json.error.message,
    /^The request has more than 1,000 headers or trailers, or its URL/,
  );
});

test.run();
