/** What a browser is told, so that a page may read every answer of the service, and only its own. */
import * as assert from 'uvu/assert';
import { ROUTES } from '../../src/http/routes.ts';
import {
  type Answer,
  assertError,
  browser,
  call,
  challenge,
  enroll,
  faces,
  match,
  server,
} from '../support/client.ts';
import { appFor, serviceFor, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('cors');
const run = serviceFor(test);
const app = appFor(test, run);
const own = appFor(test, run, {
  firstParty: true,
  origins: ['https://own.example', 'https://shared.example'],
});

const preflight = (path: string, origin: string, method = 'POST', asked = 'content-type,x-svc-key') =>
  call(run, 'OPTIONS', path, {
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': asked },
  });
const list = (answer: Answer, name: string) =>
  String(answer.headers[name] ?? '')
    .toLowerCase()
    .split(/\s*,\s*/);

const KEY_HEADERS: Readonly<Record<string, string>> = { publishable: 'x-svc-key', open: '' };
for (const { method, path, guard, schema } of ROUTES) {
  for (const origin of ['https://app.example', 'https://never-listed.example', 'http://localhost:5173']) {
    test(`a preflight for ${method} ${path} from ${origin} is answered without a key`, async () => {
      const names = [
        schema.body ? 'content-type' : '',
        KEY_HEADERS[guard?.name ?? 'open'] ?? 'authorization',
      ].filter(Boolean);
      const answer = await preflight(path.replace(':id', 'usr_x'), origin, method, names.join(','));
      assert.is(answer.status, 204);
      assert.ok(list(answer, 'access-control-allow-methods').includes(method.toLowerCase()), 'methods');
      for (const name of names) assert.ok(list(answer, 'access-control-allow-headers').includes(name), name);
    });
  }
}

for (const origin of [
  'null',
  'https://app.example/',
  'nonsense',
  'https://a.example, https://b.example',
  'https://u@a.example',
]) {
  test(`the Origin ${origin} is not well-formed and gets no CORS headers`, async () => {
    const refused = await call(run, 'POST', '/v1/challenges', { headers: browser(app, 'live', origin) });
    assertError(refused, 'origin_not_allowed');
    const answers = [
      refused,
      await call(run, 'GET', '/health', { headers: { origin } }),
      await preflight('/v1/match', origin),
    ];
    for (const answer of answers)
      assert.is(answer.headers['access-control-allow-origin'], undefined, answer.text);
  });
}

test('without an Origin no Origin is allowed', async () => {
  for (const path of ['/health', '/.well-known/jwks.json', '/nowhere']) {
    assert.is((await call(run, 'GET', path)).headers['access-control-allow-origin'], undefined);
  }
});

// Each of these passes through the checks of `call`: the exact Origin, Vary, and the exposed headers.
const origin = 'https://app.example';
const statuses: [number, () => Promise<Answer>][] = [
  [200, () => call(run, 'GET', '/health', { headers: { origin } })],
  [200, () => call(run, 'GET', '/.well-known/jwks.json', { headers: { origin: 'https://any.example' } })],
  [200, () => call(run, 'GET', '/v1/app', { headers: { ...server(app), origin } })],
  [200, () => call(run, 'HEAD', '/v1/app', { headers: { ...server(app), origin } })],
  [201, () => enroll(run, app, { descriptors: [faces.genuine(40)] })],
  [400, () => enroll(run, app, { fields: { email: 1 } })],
  [401, () => call(run, 'POST', '/v1/match', { headers: { origin: 'https://any.example' } })],
  [401, () => match(run, app, { descriptors: [faces.stranger(9)] })],
  [403, () => call(run, 'POST', '/v1/match', { headers: browser(app, 'live', 'https://any.example') })],
  [404, () => call(run, 'GET', '/nowhere', { headers: { origin: 'https://any.example' } })],
  [404, () => call(run, 'GET', '//v1/app', { headers: { origin } })],
  [405, () => call(run, 'DELETE', '/v1/match', { headers: { origin: 'https://any.example' } })],
  [409, () => enroll(run, app, { descriptors: [faces.genuine(40)] })],
  [413, () => call(run, 'POST', '/v1/match', { headers: browser(app), raw: ' '.repeat(65_537) })],
  [415, () => call(run, 'POST', '/v1/match', { headers: browser(app), raw: '{}', type: 'text/plain' })],
];
for (const [status, make] of statuses) {
  test(`an answer ${status} can be read by the page it belongs to`, async () => {
    const answer = await make();
    assert.is(answer.status, status, answer.text);
    assert.ok(answer.headers['access-control-allow-origin']);
  });
}

test('a 429 can be read by the page, with the time to wait', async () => {
  await using limited = await startService({ env: { LIMIT_IP_PER_MINUTE: '1' } });
  const there = await limited.createApp();
  await challenge(limited, there);
  assertError(await call(limited, 'POST', '/v1/challenges', { headers: browser(there) }), 'rate_limited');
});

const credentialed: [string, () => Promise<Answer>, boolean][] = [
  ['a first-party app from its Origin', () => challengeBy(own, 'https://own.example'), true],
  ['a failing call of a first-party app', () => matchBy(own, 'https://own.example'), true],
  ['a first-party app from an Origin it does not list', () => challengeBy(own, 'https://app.example'), false],
  ['a third-party app from its Origin', () => challengeBy(app, 'https://app.example'), false],
  ['a preflight of a first-party Origin', () => preflight('/v1/enroll', 'https://own.example'), true],
  ['a preflight of a third-party Origin', () => preflight('/v1/enroll', 'https://app.example'), false],
  ['a preflight of an unknown Origin', () => preflight('/v1/enroll', 'https://any.example'), false],
];
const challengeBy = (by: TestApp, from: string) =>
  call(run, 'POST', '/v1/challenges', { headers: browser(by, 'live', from) });
const matchBy = (by: TestApp, from: string) =>
  call(run, 'POST', '/v1/match', { headers: browser(by, 'live', from), json: {} });
for (const [name, make, allowed] of credentialed) {
  test(`credentials are ${allowed ? 'allowed' : 'not allowed'}: ${name}`, async () => {
    const answer = await make();
    assert.is(answer.headers['access-control-allow-credentials'], allowed ? 'true' : undefined, answer.text);
  });
}

test('an Origin that a first-party and a third-party app list: each app gets its own answer', async () => {
  const third = await run.createApp({ origins: ['https://shared.example'] });
  assert.is(
    (await challengeBy(own, 'https://shared.example')).headers['access-control-allow-credentials'],
    'true',
  );
  assert.is(
    (await challengeBy(third, 'https://shared.example')).headers['access-control-allow-credentials'],
    undefined,
  );
  const asked = await preflight('/v1/enroll', 'https://shared.example');
  assert.is(asked.headers['access-control-allow-credentials'], 'true');
});

test('a preflight opens nothing: the real request is checked', async () => {
  assert.is((await preflight('/v1/match', 'https://never-listed.example')).status, 204);
  const headers = browser(app, 'live', 'https://never-listed.example');
  assertError(await call(run, 'POST', '/v1/match', { headers, json: {} }), 'origin_not_allowed');
});

test.run();
