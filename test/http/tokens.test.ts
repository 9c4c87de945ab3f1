/** Forged and damaged tokens. Each is checked beside the untouched token, which must be accepted. */
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import * as assert from 'uvu/assert';
import { call, decoded, enrolled, type Json, verify } from '../support/client.ts';
import { appFor, serviceFor, startService } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('tokens');
let token: string;
let set: JSONWebKeySet;
const run = serviceFor(test);
const app = appFor(test, run);
test.before(async () => {
  token = (await enrolled(run, app)).token;
  set = (await call(run, 'GET', '/.well-known/jwks.json')).json;
});

const mine = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const mine384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const part = (index: number) => token.split('.')[index] ?? '';
const bytes = () => Buffer.from(part(2), 'base64url');

function signed(header: Json, claims: Json, key: KeyObject = mine.privateKey, hash = 'sha256'): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${sign(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

function withHmac(secret: string | Buffer, change: object = {}): string {
  const { header, claims } = decoded(token);
  const text = `${encode({ ...header, alg: 'HS256', ...change })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

const publicKey = () => createPublicKey({ key: set.keys[0] as Json, format: 'jwk' });
const ownJwk = () => ({ ...mine.publicKey.export({ format: 'jwk' }), kid: decoded(token).header.kid });
const byMe = (header: object, claims: object = {}) => {
  const original = decoded(token);
  return signed({ ...original.header, ...header }, { ...original.claims, ...claims });
};
const withHeader = (header: object) =>
  `${encode({ ...decoded(token).header, ...header })}.${part(1)}.${part(2)}`;
const withClaims = (claims: object) =>
  `${part(0)}.${encode({ ...decoded(token).claims, ...claims })}.${part(2)}`;
const withSignature = (signature: Buffer | string) =>
  `${part(0)}.${part(1)}.${typeof signature === 'string' ? signature : signature.toString('base64url')}`;

function der(): Buffer {
  const integer = (of: Buffer) => {
    const trimmed = of.subarray(of.findIndex(byte => byte !== 0));
    const positive = (trimmed[0] ?? 0) > 127 ? Buffer.concat([Buffer.of(0), trimmed]) : trimmed;
    return Buffer.concat([Buffer.of(2, positive.length), positive]);
  };
  const both = Buffer.concat([integer(bytes().subarray(0, 32)), integer(bytes().subarray(32))]);
  return Buffer.concat([Buffer.of(0x30, both.length), both]);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** The same 64 bytes, written with other unused bits in the last character. */
function nonCanonical(added: number): string {
  const last = ALPHABET.indexOf(part(2).slice(-1));
  const other = part(2).slice(0, -1) + ALPHABET[last | added];
  assert.equal(Buffer.from(other, 'base64url'), bytes(), 'a lax decoder reads the same bytes');
  return withSignature(other);
}

const forgeries: [string, () => string][] = [
  ['alg none without a signature', () => `${encode({ ...decoded(token).header, alg: 'none' })}.${part(1)}.`],
  ['alg none with the old signature', () => withHeader({ alg: 'none' })],
  ['alg None', () => `${encode({ alg: 'None' })}.${part(1)}.`],
  ['no signature', () => `${part(0)}.${part(1)}.`],
  ['two parts', () => `${part(0)}.${part(1)}`],
  ['a fourth part', () => `${token}.${part(2)}`],
  ['an empty fourth part', () => `${token}.`],
  ['a leading dot', () => `.${token}`],
  [
    'HS256 with the public key as PEM',
    () => withHmac(publicKey().export({ type: 'spki', format: 'pem' }) as string),
  ],
  ['HS256 with the public key as DER', () => withHmac(publicKey().export({ type: 'spki', format: 'der' }))],
  ['HS256 with the public key as JSON', () => withHmac(JSON.stringify(set.keys[0]))],
  ['HS256 with x of the public key', () => withHmac(Buffer.from(set.keys[0]?.x ?? '', 'base64url'))],
  ['HS256 with an empty secret', () => withHmac('')],
  ['another key under the real kid', () => byMe({})],
  ['another key and its jwk in the header', () => byMe({ jwk: ownJwk() })],
  ['another key and a jku', () => byMe({ jku: `${run.base}/jwks.json` })],
  [
    'another key and an x5c',
    () => byMe({ x5c: [mine.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] }),
  ],
  ['another key and an x5u', () => byMe({ x5u: 'http://127.0.0.1/key.pem' })],
  ['an unknown kid', () => byMe({ kid: 'unknown' })],
  ['no kid', () => byMe({ kid: undefined })],
  ['a kid that is a path', () => byMe({ kid: '../../../dev/null' })],
  ['a kid that is a query', () => byMe({ kid: "' OR '1'='1" })],
  ['a kid that is an array', () => byMe({ kid: [decoded(token).header.kid] })],
  ['a kid that is an object', () => byMe({ kid: {} })],
  ['the kid __proto__', () => byMe({ kid: '__proto__' })],
  [
    'ES384',
    () =>
      signed({ ...decoded(token).header, alg: 'ES384' }, decoded(token).claims, mine384.privateKey, 'sha384'),
  ],
  ['RS256', () => signed({ ...decoded(token).header, alg: 'RS256' }, decoded(token).claims, rsa.privateKey)],
  ['alg es256 in lower case', () => withHeader({ alg: 'es256' })],
  ['another alg on the real signature', () => withHeader({ alg: 'ES384' })],
  ['a crit header', () => withHeader({ crit: ['exp'] })],
  ['an added header', () => withHeader({ extra: 1 })],
  ['another kid on the real signature', () => withHeader({ kid: 'unknown' })],
  ['another email', () => withClaims({ email: 'eve@example.com' })],
  ['another user', () => withClaims({ sub: `usr_${'A'.repeat(24)}` })],
  ['a later end', () => withClaims({ exp: decoded(token).claims.exp + 3600 })],
  ['test mode', () => withClaims({ livemode: false, aud: ['svc_test', app.id] })],
  ['no livemode', () => withClaims({ livemode: undefined })],
  [
    'the claims written with spaces',
    () => `${part(0)}.${encode(JSON.stringify(decoded(token).claims, null, 1))}.${part(2)}`,
  ],
  ['a signature of zeros', () => withSignature(Buffer.alloc(64))],
  ['a signature in DER', () => withSignature(der())],
  ['a shortened signature', () => withSignature(bytes().subarray(0, 63))],
  ['a lengthened signature', () => withSignature(Buffer.concat([bytes(), Buffer.of(0)]))],
  [
    'the halves of the signature exchanged',
    () => withSignature(Buffer.concat([bytes().subarray(32), bytes().subarray(0, 32)])),
  ],
  [
    'a flipped bit',
    () => withSignature(Buffer.from(bytes().map((byte, index) => (index === 9 ? byte ^ 1 : byte)))),
  ],
  ...[1, 2, 4, 8, 15].map(
    bits =>
      [`unused bits ${bits} set in the last character`, () => nonCanonical(bits)] as [string, () => string],
  ),
  ['padding', () => `${token}=`],
  ['double padding', () => `${token}==`],
  ['a line end', () => `${token}\n`],
  ['a space before', () => ` ${token}`],
  ['a space inside', () => token.replace('.', '. ')],
  ['a NUL at the end', () => `${token}\u0000`],
  ['the scheme before it', () => `Bearer ${token}`],
  ['doubled dots', () => token.replaceAll('.', '..')],
];
for (const [name, forge] of forgeries) {
  test(`a forged token is refused: ${name}`, async () => {
    const forged = forge();
    assert.is.not(forged, token);
    assert.is((await verify(run, app, token)).json.valid, true, 'the control');
    const answer = await verify(run, app, forged);
    assert.is(answer.status, 200, answer.text);
    assert.equal(answer.json, { valid: false, reason: 'invalid' });
  });
}

test('the header names ES256 and a key of the set', () => {
  const { header } = decoded(token);
  assert.is(header.alg, 'ES256');
  assert.ok(set.keys.some(key => key.kid === header.kid));
  for (const name of ['jwk', 'jku', 'x5c', 'x5u', 'crit']) assert.is(header[name], undefined);
  assert.is(bytes().length, 64);
});

for (const mode of ['live', 'test'] as const) {
  test(`a ${mode} token verifies offline by the specified rules, and only by them`, async () => {
    const one = (await enrolled(run, await run.createApp(), { mode })).token;
    const keys = createLocalJWKSet(set);
    const audience = mode === 'live' ? 'svc' : 'svc_test';
    const rules = {
      algorithms: ['ES256'],
      issuer: run.base,
      audience,
      currentDate: new Date(run.clock.now()),
    };
    const { payload } = await jwtVerify(one, keys, rules);
    assert.is(payload.livemode, mode === 'live');
    assert.ok(Array.isArray(payload.aud) && payload.aud.includes(String(payload.app_id)));
    const wrong = [
      { audience: mode === 'live' ? 'svc_test' : 'svc' },
      { audience: app.id },
      { issuer: 'https://other.example' },
      { currentDate: new Date(run.clock.now() + 3_600_000) },
    ];
    for (const change of wrong) {
      const outcome = await jwtVerify(one, keys, { ...rules, ...change }).then(
        () => 'accepted',
        () => 'refused',
      );
      assert.is(outcome, 'refused', Object.keys(change).join());
    }
  });
}

for (const [base, issuer] of [
  ['https://id.example.com', 'https://id.example.com'],
  ['https://id.example.com/', 'https://id.example.com'],
]) {
  test(`BASE_URL ${base} is the issuer, without a slash at its end`, async () => {
    const other = await startService({ env: { BASE_URL: base ?? '' } });
    try {
      const made = (await enrolled(other, await other.createApp())).token;
      assert.is(decoded(made).claims.iss, issuer);
    } finally {
      await other.close();
    }
  });
}

test('a token of another issuer is refused, though its key, app and user are the same', async () => {
  let other = await startService();
  try {
    const there = await other.createApp();
    const made = (await enrolled(other, there)).token;
    assert.is((await verify(other, there, made)).json.valid, true, 'the control');
    const before = other.base;
    other = await other.restart();
    assert.is.not(other.base, before, 'another port is another address, and so another issuer');
    assert.equal((await verify(other, there, made)).json, { valid: false, reason: 'invalid' });
    other.clock.advance(3_600_000);
    assert.equal(
      (await verify(other, there, made, 'test')).json,
      { valid: false, reason: 'invalid' },
      'the first fault',
    );
  } finally {
    await other.close();
  }
});

test('a token of another service is refused', async () => {
  const other = await startService();
  try {
    const foreign = (await enrolled(other, await other.createApp())).token;
    assert.equal((await verify(run, app, foreign)).json, { valid: false, reason: 'invalid' });
    assert.equal((await verify(other, await other.createApp(), token)).json, {
      valid: false,
      reason: 'invalid',
    });
  } finally {
    await other.close();
  }
});

test.run();
