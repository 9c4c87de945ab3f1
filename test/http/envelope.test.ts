/** Unknown routes, wrong methods, HEAD: every failure in the one envelope. */
import * as assert from 'uvu/assert';
import { assertError, browser, call, enroll, faces, match, server } from '../support/client.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('envelope');
const run = serviceFor(test);
const app = appFor(test, run);

const unknown = [
  '/',
  '//',
  '/v1',
  '/v1/',
  '/v1/match/',
  '/v1/match//',
  '//v1/match',
  '/v1//match',
  '/v1/match/x',
  '/v1/Match',
  '/V1/match',
  '/v1/matc',
  '/v1/matchx',
  '/v1/match;a=b',
  '/v1%2Fmatch',
  '/v1/match%2F',
  '/%2Fv1/match',
  '/v1/match%00',
  '/v1/match%20',
  '/v1/match.json',
  '/v2/match',
  '/v0/match',
  '/match',
  '/health/',
  '/Health',
  '/%',
  '/%zz',
  '/%c3%28',
  '/%ff',
  '/v1/%',
  '/__proto__',
  '/constructor',
  '/v1/toString',
  '/v1/tokens',
  '/v1/tokens/verify/',
  '/v1/app/',
  '/v1/apps',
  '/.well-known/',
  '/.well-known/jwks.json/',
  '/internal',
  '/internal/apps',
  '/internal/session',
  '/metrics',
  '/favicon.ico',
  '/index.html',
  '/.env',
  '/..%2f..%2fetc/passwd',
  `/${'a'.repeat(5_000)}`,
  `/v1/match/${'x/'.repeat(2_000)}`,
];
for (const path of unknown) {
  test(`${path.slice(0, 40)} is no route, with or without credentials`, async () => {
    for (const headers of [{}, browser(app), server(app), { origin: 'https://any.example' }]) {
      for (const method of ['GET', 'POST', 'DELETE', 'PATCH']) {
        const answer = await call(run, method, path, { headers, ...(method === 'POST' && { json: {} }) });
        assertError(answer, 'not_found', method);
      }
    }
    const head = await call(run, 'HEAD', path);
    assert.is(head.status, 404);
  });
}

test('HEAD of a route with a credential answers as GET does', async () => {
  const cases: [object, number][] = [
    [server(app), 200],
    [{}, 401],
    [{ ...server(app), origin: 'https://x.example' }, 403],
  ];
  for (const [headers, status] of cases) {
    const [get, head] = [
      await call(run, 'GET', '/v1/app', { headers: { ...headers } }),
      await call(run, 'HEAD', '/v1/app', { headers: { ...headers } }),
    ];
    assert.is(get.status, status);
    assert.is(head.status, status);
    assert.is(head.headers['content-type'], get.headers['content-type']);
  }
});

test('a query changes no route', async () => {
  for (const query of [
    '?',
    '?x=1',
    '?%',
    '?a=%zz&b[]=1',
    `?${'q'.repeat(4_000)}`,
    '?/v1/match',
    '?__proto__[x]=1',
  ]) {
    assert.is((await call(run, 'GET', `/health${query}`)).status, 200, query.slice(0, 20));
    const answer = await call(run, 'POST', `/v1/challenges${query}`, { headers: browser(app) });
    assert.is(answer.status, 200, query.slice(0, 20));
  }
});

test('a response says nothing about its making', async () => {
  const answers = [
    await call(run, 'GET', '/nothing'),
    await call(run, 'POST', '/v1/match', { headers: browser(app), raw: '{' }),
    await match(run, app, { descriptors: [faces.stranger(1)] }),
    await call(run, 'GET', '/health'),
  ];
  for (const answer of answers) {
    assert.not.match(answer.text, /node_modules|\.ts\b|\.js\b|\bat \S+:\d+|sqlite|stack|koa|valibot/i);
    assert.not.match(JSON.stringify(answer.headers), /koa|express|node\.?js/i);
  }
});

test('request ids differ, and every failure has one', async () => {
  const ids = new Set<unknown>();
  const makes = [
    () => call(run, 'GET', '/nothing'),
    () => call(run, 'PUT', '/v1/match'),
    () => call(run, 'POST', '/v1/match'),
    () => call(run, 'POST', '/v1/match', { headers: browser(app), raw: '{' }),
    () => enroll(run, app, { fields: { email: 'x' } }),
  ];
  for (const make of makes) for (let n = 0; n < 4; n++) ids.add((await make()).headers['x-request-id']);
  assert.is(ids.size, 20);
});

test.run();
