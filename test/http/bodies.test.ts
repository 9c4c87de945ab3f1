/** Bodies before their fields are looked at: media type, encoding, size, and what counts as JSON. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import {
  assertError,
  assertLacks,
  browser,
  call,
  challenges,
  consent,
  decoded,
  enroll,
  faces,
  match,
  type Sent,
  server,
  someEmail,
  usage,
} from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('bodies');
const run = serviceFor(test);

interface Route {
  path: string;
  limit: number;
  good: number;
  headers: (app: TestApp) => Record<string, string | string[]>;
  json: (app: TestApp) => Promise<object>;
}
const routes: Route[] = [
  {
    path: '/v1/enroll',
    limit: 262_144,
    good: 201,
    headers: browser,
    json: async app => enrollJson(await id(app)),
  },
  {
    path: '/v1/match',
    limit: 65_536,
    good: 401,
    headers: browser,
    json: async app => matchJson(await id(app)),
  },
  {
    path: '/v1/tokens/verify',
    limit: 65_536,
    good: 200,
    headers: server,
    json: async () => ({ token: 'x' }),
  },
];
const id = async (app: TestApp) => (await challenges(run, app, 1))[0] ?? '';
const matchJson = (challenge_id: string) => ({ challenge_id, descriptors: [faces.stranger(1)] });
const enrollJson = (challenge_id: string) => {
  return { challenge_id, descriptors: [faces.genuine(0)], email: someEmail(), consent };
};
const send = (route: Route, app: TestApp, sent: Sent, headers = {}) =>
  call(run, 'POST', route.path, { ...sent, headers: { ...route.headers(app), ...headers } });

const types: [string | null, boolean][] = [
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/json;charset="UTF-8"', true],
  ['Application/JSON', true],
  [null, false],
  ['', false],
  ['text/plain', false],
  ['text/json', false],
  ['application/jsonp', false],
  ['application/json-seq', false],
  ['application/vnd.api+json', false],
  ['application/x-www-form-urlencoded', false],
  ['multipart/form-data; boundary=x', false],
  ['application/octet-stream', false],
  ['text/plain; application/json', false],
  ['application', false],
  ['*/*', false],
];
for (const [type, accepted] of types) {
  test(`Content-Type ${type} is ${accepted ? 'accepted' : 'refused'}`, async () => {
    const app = await run.createApp();
    for (const route of routes) {
      const answer = await send(route, app, { json: await route.json(app), type });
      if (accepted) assert.is(answer.status, route.good, answer.text);
      else assertError(answer, 'unsupported_media_type', route.path);
    }
  });
}

const encodings: [string, (text: string) => Uint8Array, boolean][] = [
  ['identity', Buffer.from, true],
  ['gzip', gzipSync, false],
  ['x-gzip', gzipSync, false],
  ['deflate', deflateSync, false],
  ['br', brotliCompressSync, false],
  ['gzip, identity', gzipSync, false],
  ['gzip', Buffer.from, false],
  ['nonsense', Buffer.from, false],
];
for (const [encoding, pack, accepted] of encodings) {
  test(`Content-Encoding ${encoding} is ${accepted ? 'accepted' : 'refused'}`, async () => {
    const app = await run.createApp();
    for (const route of routes) {
      const bytes = pack(JSON.stringify(await route.json(app)));
      const answer = await send(route, app, { raw: bytes }, { 'content-encoding': encoding });
      if (accepted) assert.is(answer.status, route.good, answer.text);
      else assertError(answer, 'unsupported_media_type', route.path);
    }
  });
}

for (const route of routes) {
  for (const chunked of [false, true]) {
    test(`${route.path} accepts ${route.limit} bytes and refuses one more, ${chunked ? 'chunked' : 'with its length'}`, async () => {
      const app = await run.createApp();
      const text = JSON.stringify(await route.json(app));
      const fits = text + ' '.repeat(route.limit - text.length);
      const over = await send(route, app, { raw: `${fits} `, chunked });
      assertError(over, 'payload_too_large', 'one more');
      const exact = await send(route, app, { raw: fits, chunked });
      assert.is(exact.status, route.good, exact.text);
    });
  }
}

test('the size counts bytes, not characters', async () => {
  const app = await run.createApp();
  const pad = (size: number) => JSON.stringify({ token: 'x', pad: 'é'.repeat(size) });
  const verify = routes[2] as Route;
  assert.is((await send(verify, app, { raw: pad(32_000) })).status, 200);
  assertError(await send(verify, app, { raw: pad(40_000) }), 'payload_too_large');
});

const text = (json: object) => JSON.stringify(json);
const broken: [string, (good: string) => string | Uint8Array][] = [
  ['nothing', () => ''],
  ['spaces', () => '   '],
  ['null', () => 'null'],
  ['true', () => 'true'],
  ['a number', () => '1'],
  ['a string', () => '"canary"'],
  ['an array', good => `[${good}]`],
  ['an open brace', () => '{'],
  ['the first half', good => good.slice(0, good.length / 2)],
  ['a brace too many', good => `${good}}`],
  ['two documents', good => good + good],
  ['text after it', good => `${good} canary`],
  ['a trailing comma', good => good.replace(/}$/, ',}')],
  ['single quotes', good => good.replaceAll('"', "'")],
  ['names without quotes', () => '{token:"canary"}'],
  ['a comment', good => `/* canary */${good}`],
  ['NaN', good => good.replace('{', '{"canary":NaN,')],
  ['Infinity', good => good.replace('{', '{"canary":Infinity,')],
  ['a hexadecimal number', good => good.replace('{', '{"canary":0x1,')],
  ['a leading zero', good => good.replace('{', '{"canary":01,')],
  ['a raw line end in a string', good => good.replace('{', '{"canary":"a\nb",')],
  ['a byte order mark', good => `\ufeff${good}`],
  ['UTF-16', good => Buffer.from(good, 'utf16le')],
  ['a lone byte FF', good => invalid(good, [0xff])],
  ['an overlong slash', good => invalid(good, [0xc0, 0xaf])],
  ['a surrogate in UTF-8', good => invalid(good, [0xed, 0xa0, 0x80])],
  ['a cut sequence', good => invalid(good, [0xe2, 0x82])],
  ['a code point too large', good => invalid(good, [0xf4, 0x90, 0x80, 0x80])],
  ['nine levels of arrays', good => nested(good, 9)],
  ['nine levels of objects', good => good.replace('{', `{"deep":${'{"a":'.repeat(8)}1${'}'.repeat(8)},`)],
  ['30,000 open arrays', () => '['.repeat(30_000)],
  ['30,000 levels', good => nested(good, 30_000)],
  [
    '10,000 levels of objects',
    good => good.replace('{', `{"deep":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)},`),
  ],
];
function invalid(good: string, bytes: number[]): Uint8Array {
  const [before = '', after = ''] = good.replace('{', '{"canary":"@@",').split('@@');
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}
/** The body itself is the first level. */
function nested(good: string, levels: number): string {
  return good.replace('{', `{"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)},`);
}
for (const [name, make] of broken) {
  test(`no JSON object of UTF-8, at most 8 deep: ${name}`, async () => {
    const app = await run.createApp();
    for (const route of routes) {
      const json = await route.json(app);
      const answer = await send(route, app, { raw: make(text(json)) });
      assertError(answer, 'invalid_request', route.path);
      assertLacks(answer, ['canary'], route.path);
      assert.is((await send(route, app, { json })).status, route.good, 'nothing was used up');
    }
    assert.equal(usage(run, app), { auths: 2, enrolls: 1, matches_ok: 0, matches_failed: 1 });
  });
}

test('100,000 levels are refused where a body may be that large', async () => {
  const app = await run.createApp();
  const good = text(enrollJson(await id(app)));
  const deep = good.replace('{', `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)},`);
  assertError(await send(routes[0] as Route, app, { raw: deep }), 'invalid_request');
  assertError(await send(routes[0] as Route, app, { raw: '['.repeat(200_000) }), 'invalid_request');
});

const fine: [string, (good: string) => string][] = [
  ['eight levels of arrays', good => nested(good, 8)],
  ['eight levels of objects', good => good.replace('{', `{"deep":${'{"a":'.repeat(7)}1${'}'.repeat(7)},`)],
  ['many objects side by side', good => good.replace('{', `{"wide":[${'{"a":[]},'.repeat(2_000)}{}],`)],
  ['brackets in a string', good => good.replace('{', `{"note":"${'[{'.repeat(50)}",`)],
  ['brackets after an escaped quote', good => good.replace('{', `{"note":"\\\\\\"${'[{'.repeat(50)}",`)],
  ['spaces and line ends around', good => ` \r\n\t${good}\n\n`],
  ['an unknown number beyond the range', good => good.replace('{', '{"big":1e400,"small":-1e-400,')],
  ['an unknown field of every type', good => good.replace('{', '{"a":null,"b":true,"c":[{}],"d":"x","":0,')],
  [
    '__proto__ and its kin',
    good => good.replace('{', '{"__proto__":{"x":1},"constructor":{"prototype":{}},"toString":1,'),
  ],
  ['an emoji, written and escaped', good => good.replace('{', '{"note":"💥 \\ud83d\\ude00",')],
];
for (const [name, make] of fine) {
  test(`a body that is fine: ${name}`, async () => {
    const app = await run.createApp();
    for (const route of routes) {
      const answer = await send(route, app, { raw: make(text(await route.json(app))) });
      assert.is(answer.status, route.good, answer.text);
    }
  });
}

test('of duplicate keys the last one wins', async () => {
  const app = await run.createApp();
  const good = text({ ...enrollJson(await id(app)), email: 'last@example.com' });
  const raw = good.replace(
    '{',
    '{"email":"first@example.com","descriptors":7,"consent":{},"challenge_id":"ch_x",',
  );
  const answer = await send(routes[0] as Route, app, { raw });
  assert.is(answer.status, 201, answer.text);
  assert.is(answer.json.user.email, 'last@example.com');
  const twice = text({ token: 'x' }).replace(/}$/, ',"token":7}');
  assertError(await send(routes[2] as Route, app, { raw: twice }), 'invalid_request');
});

test('__proto__ gives no field to this request or to another', async () => {
  const app = await run.createApp();
  const given = { email: 'proto@example.com', name: 'Polluted', accepted: true, policy_version: 'p' };
  const through = async (fields: object) => {
    const json = { ...matchJson(await id(app)), ...fields };
    return send(routes[0] as Route, app, { raw: text(json).replace('{', `{"__proto__":${text(given)},`) });
  };
  assertError(await through({ consent }), 'invalid_request', 'no email of its own');
  const raw = text(enrollJson(await id(app))).replace(text(consent), `{"__proto__":${text(given)}}`);
  assertError(await send(routes[0] as Route, app, { raw }), 'consent_required');
  const good = await enroll(run, app, { descriptors: [faces.genuine(1)], fields: { name: undefined } });
  assert.is(good.json.user.name, '');
  assert.is.not(decoded(good.json.token).claims.email, given.email);
});

for (const field of ['email', 'name', 'challenge_id', 'policy', 'note', 'token']) {
  test(`a lone surrogate in ${field} is no fault of the service`, async () => {
    const app = await run.createApp();
    const lone = 'a\ud800@example.com';
    const change =
      field === 'policy' ? { consent: { accepted: true, policy_version: lone } } : { [field]: lone };
    const answer = await enroll(run, app, { fields: change });
    assert.ok(answer.status < 500, answer.text);
    if (field === 'email' || field === 'name') assertError(answer, 'invalid_request');
    if (field === 'challenge_id')
      assertError(await match(run, app, { challengeId: lone }), 'challenge_invalid');
    assert.ok((await send(routes[2] as Route, app, { json: { token: lone } })).status < 500);
  });
}

test.run();
