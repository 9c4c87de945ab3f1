/** What the server SDK makes of an answer with keys: how long it may be kept, and which keys it takes. */
import { generateKeyPairSync } from 'node:crypto';
import * as assert from 'uvu/assert';
import { fetchKeySet } from '../../src/sdk/server/jwks.ts';
import { settingsOf } from '../../src/sdk/server/options.ts';
import { suite } from '../support/suite.ts';

const test = suite('server SDK: key sets');
const jwk = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  alg: 'ES256',
  use: 'sig',
});
const good = { ...jwk(), kid: 'good' };

function answered(json: unknown, headers: Record<string, string> = {}) {
  const sent: RequestInit[] = [];
  const fetch = async (_: unknown, init: RequestInit = {}) => {
    sent.push(init);
    return Response.json(json, { headers });
  };
  const settings = settingsOf({ issuer: 'https://face.example', appId: 'app_1', mode: 'live', fetch });
  return { sent, result: fetchKeySet(settings) };
}

for (const [headers, seconds] of [
  [{}, 300],
  [{ 'cache-control': 'public, max-age=300' }, 300],
  [{ 'cache-control': 'max-age=60' }, 60],
  [{ 'cache-control': 'public,max-age=60,immutable' }, 60],
  [{ 'cache-control': 'public, max-age=300', age: '200' }, 100],
  [{ 'cache-control': 'max-age=31536000' }, 300],
  [{ 'cache-control': 'max-age=0' }, 10],
  [{ 'cache-control': 'max-age=60', age: '3600' }, 10],
  [{ 'cache-control': 's-max-age=7' }, 300],
  [{ 'cache-control': 'max-age=soon', age: 'old' }, 300],
] as const) {
  test(`kept for ${seconds} s: ${JSON.stringify(headers)}`, async () => {
    const { freshMs } = await answered({ keys: [good] }, headers).result;
    assert.is(freshMs, seconds * 1_000);
  });
}

test('caches on the way are told to ask, and no key of ours goes along', async () => {
  const { sent, result } = answered({ keys: [good] });
  await result;
  const headers = new Headers(sent[0]?.headers);
  assert.equal([headers.get('cache-control'), headers.get('authorization')], ['no-cache', null]);
});

test('only keys for verifying ES256 are taken, and of two under one id neither', async () => {
  const others = [
    { ...jwk(), kid: 'enc', use: 'enc' },
    { ...jwk(), kid: 'alg', alg: 'ES384' },
    { ...jwk(), kid: 'ops', key_ops: ['sign'] },
    { ...jwk(), kid: 'private', d: 'AAAA' },
    {
      ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
      kid: 'pair',
    },
    {
      ...generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' }),
      kid: 'curve',
    },
    { kty: 'oct', k: 'AAAA', alg: 'HS256', kid: 'secret' },
    { ...jwk(), kid: 7 },
    { ...jwk(), kid: '' },
    { ...jwk(), kid: 'x', x: 'AAAA' },
    { ...jwk(), kid: 'twice' },
    { ...jwk(), kid: 'twice' },
    null,
    'key',
  ];
  const { keys } = await answered({ keys: [...others, good] }).result;
  assert.equal([...keys.keys()], ['good']);
});

test('a set without a usable key, or with very many, is none', async () => {
  for (const json of [
    null,
    [],
    {},
    { keys: [] },
    { keys: 'x' },
    { keys: [null] },
    { keys: Array(17).fill(good) },
  ]) {
    const error = await answered(json).result.catch(thrown => thrown);
    assert.is(error.code, 'unexpected_answer', JSON.stringify(json)?.slice(0, 80));
  }
});

test.run();
