/** A request that is wrong in two ways is told the fault that is checked first. */
import * as assert from 'uvu/assert';
import { ROUTES } from '../../src/http/routes.ts';
import {
  type Answer,
  assertError,
  browser,
  call,
  consent,
  enroll,
  enrolled,
  type FaceCall,
  type Headers,
  match,
  type Sent,
  server,
  usage,
} from '../support/client.ts';
import { byCode } from '../support/codes.ts';
import { bearer, deleteMe, logout } from '../support/me.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('order-of-checks');
const run = serviceFor(test);

const long = ' '.repeat(300_000);
type Case = [name: string, code: string, make: (app: TestApp) => Promise<Answer>];
const post = (path: string, headers: Headers, sent: Sent = {}) =>
  call(run, 'POST', path, { ...sent, headers });
const wrongOrigin = (app: TestApp) => browser(app, 'live', 'https://other.example');

async function signedOut(app: TestApp): Promise<string> {
  const { token } = (await match(run, app)).json;
  assert.is((await logout(run, token)).status, 204);
  return token;
}
async function deleted(): Promise<string> {
  const { token } = await enrolled(run, await run.createApp());
  assert.is((await deleteMe(run, token)).status, 204);
  return token;
}

type Of = (app: TestApp) => Headers;
const nobody: Of = () => ({});
const page: Of = app => browser(app);
const elsewhere = { origin: 'https://other.example' };
const fromElsewhere: Of = app => ({ ...server(app), ...elsewhere });
// biome-ignore format: a table
const pairs: readonly [name: string, code: string, path: string, by: Of, sent?: Sent][] = [
  ['unknown route, no credential',            'not_found',              '/v1/nothing', nobody],
  ['unknown route, wrong Origin',             'not_found',              '/v1/nothing', wrongOrigin],
  ['unknown route, broken body',              'not_found',              '/v1/nothing', page, { raw: '{' }],
  ['unknown route, long body',                'not_found',              '/v1/nothing', page, { raw: long }],
  ['no credential, wrong Origin',             'unauthorized',           '/v1/match',   () => elsewhere],
  ['no credential, broken body',              'unauthorized',           '/v1/match',   nobody, { raw: '{' }],
  ['no credential, wrong type',               'unauthorized',           '/v1/enroll',  nobody, { raw: 'x', type: 'text/plain' }],
  ['no credential, long body',                'unauthorized',           '/v1/enroll',  nobody, { raw: long }],
  ['wrong kind of key, wrong Origin',         'unauthorized',           '/v1/match',   app => ({ ...server(app), origin: 'null' })],
  ['secret route, publishable key, wrong Origin', 'unauthorized',       '/v1/tokens/verify', wrongOrigin],
  ['wrong Origin, wrong type',                'origin_not_allowed',     '/v1/match',   wrongOrigin, { raw: 'x', type: 'a/b' }],
  ['wrong Origin, long body',                 'origin_not_allowed',     '/v1/match',   wrongOrigin, { raw: long }],
  ['wrong Origin, broken body',               'origin_not_allowed',     '/v1/enroll',  wrongOrigin, { raw: '{' }],
  ['wrong Origin, no body',                   'origin_not_allowed',     '/v1/enroll',  wrongOrigin],
  ['secret key with a wrong Origin, broken body', 'origin_not_allowed', '/v1/tokens/verify', fromElsewhere, { raw: '{' }],
  ['wrong type, long body',                   'unsupported_media_type', '/v1/match',   page, { raw: long, type: 'a/b' }],
  ['wrong type, broken body',                 'unsupported_media_type', '/v1/match',   page, { raw: '{', type: 'a/b' }],
  ['wrong encoding, long body',               'unsupported_media_type', '/v1/enroll',  app => ({ ...page(app), 'content-encoding': 'gzip' }), { raw: long }],
  ['long body, broken JSON',                  'payload_too_large',      '/v1/match',   page, { raw: `{${long}` }],
];
const cases: Case[] = [
  ...pairs.map(([name, code, path, by, sent]): Case => [name, code, app => post(path, by(app), sent)]),
  ['wrong method, no credential', 'method_not_allowed', () => call(run, 'PUT', '/v1/match')],
  [
    'wrong method, wrong type',
    'method_not_allowed',
    () => call(run, 'PUT', '/v1/match', { raw: 'x', type: 'a/b' }),
  ],
  [
    'wrong field, no consent',
    'invalid_request',
    app => enroll(run, app, { fields: { email: 'x', consent: undefined } }),
  ],
  [
    'wrong field, unknown challenge',
    'invalid_request',
    app => match(run, app, { challengeId: 'ch_x', descriptors: [[1]] }),
  ],
  [
    'no consent, unknown challenge',
    'consent_required',
    app => enroll(run, app, { challengeId: 'ch_x', fields: { consent: {} } }),
  ],
  [
    'no consent, taken email',
    'consent_required',
    async app => {
      const { user } = await enrolled(run, app);
      return enroll(run, app, { fields: { consent: { ...consent, accepted: false }, email: user.email } });
    },
  ],
];
for (const [name, code, make] of cases) {
  test(`${name}: ${code}`, async () => {
    const app = await run.createApp();
    const before = usage(run, app).auths;
    assertError(await make(app), code);
    assert.ok(usage(run, app).auths <= before + 1);
  });
}

const enrolls: [string, string, FaceCall][] = [
  [
    'unknown challenge, taken email',
    'challenge_invalid',
    { challengeId: 'ch_x', fields: { email: 'taken@example.com' } },
  ],
  ['unknown challenge, face enrolled before', 'challenge_invalid', { challengeId: 'ch_x' }],
  ['taken email, face enrolled before', 'email_taken', { fields: { email: 'TAKEN@example.com' } }],
];
for (const [name, code, of] of enrolls) {
  test(`${name}: ${code}`, async () => {
    const app = await run.createApp();
    await enrolled(run, app, { fields: { email: 'taken@example.com' } });
    assertError(await enroll(run, app, of), code);
    assert.is(usage(run, app).auths, 1, 'only the first one reached face matching');
  });
}

const bodies: [string, (bytes: number) => Sent, string][] = [
  ['of another media type', () => ({ raw: '{}', type: 'text/plain' }), 'unsupported_media_type'],
  ['without a media type', () => ({ raw: '{}', type: null }), 'unsupported_media_type'],
  [
    'that is compressed',
    () => ({ raw: '{}', headers: { 'content-encoding': 'gzip' } }),
    'unsupported_media_type',
  ],
  ['of one byte too many', bytes => ({ raw: ' '.repeat(bytes + 1) }), 'payload_too_large'],
  [
    'of one byte too many in chunks',
    bytes => ({ raw: ' '.repeat(bytes + 1), chunked: true }),
    'payload_too_large',
  ],
  ['of as many bytes as may be, and nothing in it', bytes => ({ raw: ' '.repeat(bytes) }), 'invalid_request'],
  ['that is no JSON', () => ({ raw: '{' }), 'invalid_request'],
  ['that is a list', () => ({ raw: '[]' }), 'invalid_request'],
  ['that is null', () => ({ raw: 'null' }), 'invalid_request'],
  ['that is empty', () => ({ raw: '' }), 'invalid_request'],
  ['that is absent', () => ({}), 'invalid_request'],
  ['without its fields', () => ({ json: {} }), 'invalid_request'],
  ['of invalid UTF-8', () => ({ raw: Buffer.from('{"\u00ff":1}', 'latin1') }), 'invalid_request'],
];
for (const [what, make, code] of bodies)
  test(`a body ${what} is ${code} on every route that takes one, after credential and Origin`, async () => {
    const app = await run.createApp();
    const { token } = await enrolled(run, app);
    const [out, gone] = [await signedOut(app), await deleted()];
    for (const { method, path, guard } of ROUTES.filter(one => one.schema.body)) {
      const sent = make(path === '/v1/enroll' ? 262_144 : 65_536);
      const as = (headers: Headers) =>
        call(run, method, path, { ...sent, headers: { ...sent.headers, ...headers } });
      const own = { publishable: browser(app), secret: server(app) }[guard.name] ?? bearer(token);
      assertError(await as(own), code, `${method} ${path}`);
      assertError(await as({ origin: app.origin }), 'unauthorized', `${method} ${path}`);
      if (guard.name === 'publishable')
        assertError(await as(wrongOrigin(app)), 'origin_not_allowed', `${method} ${path}`);
      if (guard.name === 'publishable' || guard.name === 'secret') continue;
      assertError(await as(bearer(out)), 'token_revoked', `${method} ${path}`);
      assertError(await as(bearer(gone)), 'not_found', `${method} ${path}`);
    }
  });

const ignored: [string, Sent, boolean][] = [
  ['nothing', {}, true],
  ['broken JSON', { raw: '{"', type: 'application/json' }, true],
  ['a text without a type', { raw: '{"limit":0,"id":"usr_x"', type: null }, true],
  ['what is not the gzip it says', { raw: 'x', type: 'a/b', headers: { 'content-encoding': 'gzip' } }, true],
  ['64 KB', { raw: 'x'.repeat(65_536), type: 'text/plain' }, true],
  ['more than 64 KB', { raw: 'x'.repeat(65_537), type: 'text/plain' }, false],
  ['more than 64 KB in chunks', { raw: 'x'.repeat(65_537), chunked: true }, false],
];
for (const [what, sent, isFine] of ignored)
  test(`a route that takes no body ${isFine ? 'ignores' : 'refuses'} ${what}`, async () => {
    for (const { method, path, guard } of ROUTES.filter(one => !one.schema.body)) {
      const app = await run.createApp();
      const { user } = await enrolled(run, app, { mode: 'test' });
      const { token } = await byCode(run, app, user.email, 'test');
      const own = { publishable: browser(app, 'test'), secret: server(app, 'test'), open: {} }[
        guard.name as string
      ];
      const headers = { ...sent.headers, ...(own ?? bearer(token)) };
      const answer = await call(run, method, path.replace(':id', user.id), { ...sent, headers });
      if (isFine) assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
      else assertError(answer, 'payload_too_large', `${method} ${path}`);
    }
  });

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'SEARCH', 'QUERY', 'PURGE'];
test('every path: another method is 405 with Allow, another spelling 404, before the credential', async () => {
  for (const path of new Set(ROUTES.map(one => one.path))) {
    const own = ROUTES.filter(one => one.path === path).map(({ method }) => method as string);
    const asked = path.replace(':id', 'usr_x');
    for (const method of METHODS.filter(one => !own.includes(one))) {
      const answer = await call(run, method, asked);
      assertError(answer, 'method_not_allowed', `${method} ${path}`);
      const allow = String(answer.headers.allow).split(/\s*,\s*/);
      const named = allow.filter(name => !['HEAD', 'OPTIONS'].includes(name)).sort();
      assert.equal(named, own.sort(), `${method} ${path}`);
    }
    for (const other of [`${asked}/`, `/${asked}`, `${asked}/x/y`, asked.toUpperCase()])
      for (const method of own) assertError(await call(run, method, other), 'not_found', other);
  }
});

test.run();
