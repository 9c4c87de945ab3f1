/**
 * Online verification of tokens. Each forgery stands beside the token that it was made from, which is accepted: so a
 * refusal shows that this forgery was seen, not that nothing gets through. The order of reasons is a rule of its own,
 * because a token that is not ours must learn nothing about its user.
 */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { type Claims, decode, encode, forge, ISSUER, NOW, outcomeOf } from '../support/token-forge.ts';

const test = suite('token verification');
const service = await forge();
const { header, signed, verify, own, left, foreign } = service;
const token = await service.issue('app_1', 'live', 'usr_1');
const [head = '', body = '', signature = ''] = token.split('.');
const claims = decode(body) as Claims;
const raw = Buffer.from(signature, 'base64url');

async function accepted(text: string, what: string): Promise<void> {
  assert.is(outcomeOf(await verify(text)), 'valid', what);
}

/** Tokens made without our key, or not in the one form that we issue. */
function forgeries(): Record<string, string> {
  const zero = Buffer.alloc(64);
  const lastBits = signature.slice(0, -1) + nextCharacter(signature.at(-1) ?? 'A');
  return {
    'alg none, no signature': `${encode({ ...header, alg: 'none' })}.${body}.`,
    'alg none, a signature': `${encode({ ...header, alg: 'none' })}.${body}.${signature}`,
    'alg None': signed({ ...header, alg: 'None' }, claims),
    'alg missing': signed({ typ: 'JWT', kid: own.kid }, claims),
    'alg in a list': signed({ ...header, alg: ['ES256'] }, claims),
    'HS256 keyed by the public key': service.hmac(
      { ...header, alg: 'HS256' },
      claims,
      JSON.stringify(own.publicJwk),
    ),
    'HS256 keyed by its x': service.hmac(
      { ...header, alg: 'HS256' },
      claims,
      Buffer.from(own.publicJwk.x, 'base64url'),
    ),
    'HMAC that calls itself ES256': service.hmac(header, claims, JSON.stringify(own.publicJwk)),
    ES384: signed({ ...header, alg: 'ES384' }, claims),
    ES256K: signed({ ...header, alg: 'ES256K' }, claims),
    'another key under our kid': signed(header, claims, foreign.key),
    'another key, in the header': signed({ ...header, jwk: foreign.publicJwk }, claims, foreign.key),
    'another key, by address': signed(
      { ...header, jku: 'https://evil.example/jwks.json', kid: foreign.kid },
      claims,
      foreign.key,
    ),
    'another key, by certificate': signed(
      { ...header, x5c: ['AAAA'], x5u: 'https://evil.example' },
      claims,
      foreign.key,
    ),
    'another key under its own kid': signed({ ...header, kid: foreign.kid }, claims, foreign.key),
    'a key that left the set': signed({ ...header, kid: left.kid }, claims, left.key),
    'kid missing': signed({ alg: 'ES256', typ: 'JWT' }, claims),
    'kid empty': signed({ ...header, kid: '' }, claims),
    'kid a path': signed({ ...header, kid: '../../dev/null' }, claims, foreign.key),
    'kid a property of every object': signed({ ...header, kid: 'constructor' }, claims, foreign.key),
    'kid in a list': signed({ ...header, kid: [own.kid] }, claims),
    'kid null': signed({ ...header, kid: null }, claims),
    'crit with an unknown extension': signed({ ...header, crit: ['x'], x: 1 }, claims),
    'crit with b64': signed({ ...header, crit: ['b64'], b64: false }, claims),
    'crit empty': signed({ ...header, crit: [] }, claims),
    'crit null': signed({ ...header, crit: null }, claims),
    'DER signature': signed(header, claims, undefined, 'der'),
    'zero signature': `${head}.${body}.${zero.toString('base64url')}`,
    'r zero': `${head}.${body}.${Buffer.concat([zero.subarray(0, 32), raw.subarray(32)]).toString('base64url')}`,
    's zero': `${head}.${body}.${Buffer.concat([raw.subarray(0, 32), zero.subarray(32)]).toString('base64url')}`,
    'one byte less': `${head}.${body}.${raw.subarray(0, 63).toString('base64url')}`,
    'one byte more': `${head}.${body}.${Buffer.concat([raw, Buffer.of(0)]).toString('base64url')}`,
    'one bit flipped': `${head}.${body}.${Buffer.concat([Buffer.of((raw[0] as number) ^ 1), raw.subarray(1)]).toString('base64url')}`,
    'no signature': `${head}.${body}.`,
    'two parts': `${head}.${body}`,
    'four parts': `${token}.`,
    'four parts, one empty': `${head}..${body}.${signature}`,
    'five parts': `${head}.${body}.${signature}.${signature}.${signature}`,
    'other spelling of the last bits': `${head}.${body}.${lastBits}`,
    padding: `${token}==`,
    'white space before': ` ${token}`,
    'white space after': `${token}\n`,
    'white space inside': `${head}. ${body}.${signature}`,
    'the other alphabet': `${head}.${body}.${raw.toString('base64').replace(/=+$/, '')}+`,
    'claims of another token': `${head}.${encode({ ...claims, sub: 'usr_2' })}.${signature}`,
    'header of another token': `${encode({ ...header, typ: 'at+jwt' })}.${body}.${signature}`,
    'claims in a list': signed(header, [claims]),
    'claims a text': signed(header, '"claims"'),
    'claims null': signed(header, 'null'),
    'claims no JSON': signed(header, '{'),
    'header in a list': signed([header] as never, claims),
    'header no JSON': signed('{', claims),
    empty: '',
    'dots alone': '..',
    Bearer: `Bearer ${token}`,
  };
}

function nextCharacter(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[alphabet.indexOf(character) ^ 1] as string;
}

test('forgeries are invalid, each beside the valid token', async () => {
  for (const [what, text] of Object.entries(forgeries())) {
    await accepted(token, `before: ${what}`);
    assert.is(outcomeOf(await verify(text)), 'invalid', what);
  }
  await accepted(signed(header, claims), 'the forger itself can sign what is accepted');
});

test('a signed token with claims that are not for the asker, or of a wrong type, is invalid', async () => {
  const wrong: Record<string, Claims> = {
    'issuer of others': { iss: 'https://evil.example' },
    'issuer with a slash': { iss: `${ISSUER}/` },
    'issuer in a list': { iss: [ISSUER] },
    'audience of another app': { aud: ['svc', 'app_2'] },
    'audience without the app': { aud: ['svc'] },
    'audience without the service': { aud: ['app_1'] },
    'audience of the other mode': { aud: ['svc_test', 'app_1'] },
    'audience a text': { aud: 'svc app_1' },
    'audience with a number': { aud: ['svc', 'app_1', 1] },
    'audience empty': { aud: [] },
    'another app': { app_id: 'app_2' },
    'no app': { app_id: undefined },
    'exp a text': { exp: String(claims.exp) },
    'exp a fraction': { exp: Number(claims.exp) + 0.5 },
    'exp beyond integers': { exp: 1e300 },
    'exp null': { exp: null },
    'no exp': { exp: undefined },
    'iat a text': { iat: '0' },
    'no jti': { jti: undefined },
    'jti a number': { jti: 1 },
    'no sub': { sub: undefined },
    'no email': { email: undefined },
    'amr a text': { amr: 'face' },
    'email_verified a text': { email_verified: 'false' },
    'livemode a text': { livemode: 'true' },
    'livemode null': { livemode: null },
  };
  for (const [what, change] of Object.entries(wrong)) {
    await accepted(signed(header, { ...claims, more: what }), `control of ${what}`);
    assert.is(outcomeOf(await verify(signed(header, { ...claims, ...change }))), 'invalid', what);
  }
});

test('a key that joins the set is believed, and a key that leaves it is not any more', async () => {
  const text = signed({ ...header, kid: left.kid }, claims, left.key);
  assert.is(outcomeOf(await verify(text)), 'invalid');
  service.published.push({ ...left, createdAt: 0, signsAt: 0 });
  assert.is(outcomeOf(await verify(text)), 'valid');
  service.published.pop();
  assert.is(outcomeOf(await verify(text)), 'invalid');
});

test('a token from later than now is invalid, but for the minute by which clocks may differ', async () => {
  const now = Math.floor(NOW / 1_000);
  for (const [ahead, expected] of [
    [0, 'valid'],
    [60, 'valid'],
    [61, 'invalid'],
    [3_600, 'invalid'],
    [10 * 365 * 86_400, 'invalid'],
  ] as const) {
    const text = signed(header, { ...claims, iat: now + ahead, exp: now + ahead + 3_600 });
    assert.is(outcomeOf(await verify(text)), expected, `${ahead} s ahead`);
  }
  const other = { ...claims, iat: now + 61, livemode: false, aud: ['svc_test', 'app_1'], exp: now };
  assert.is(outcomeOf(await verify(signed(header, other))), 'invalid', 'the first reason');
});

test('reasons come in their order: invalid, mode, expired, revoked, user', async () => {
  const faults: readonly (readonly [string, Claims])[] = [
    ['invalid', { iss: 'https://evil.example' }],
    ['mode_mismatch', { livemode: false, aud: ['svc_test', 'app_1'] }],
    ['expired', { exp: Math.floor(NOW / 1_000) }],
    ['revoked', { jti: 'jti_revoked' }],
    ['user_not_found', { sub: 'usr_gone' }],
  ];
  service.standing.revoked.add('jti_revoked');
  for (let from = 0; from < faults.length; from++) {
    for (let to = from + 1; to <= faults.length; to++) {
      const some = Object.assign({}, ...faults.slice(from, to).map(([, change]) => change));
      assert.is(
        outcomeOf(await verify(signed(header, { ...claims, ...some }))),
        faults[from]?.[0],
        `${from} to ${to}`,
      );
    }
  }
});

test('a token from before test mode counts as live', async () => {
  const { livemode: _, ...older } = claims;
  const text = signed(header, older);
  assert.is(outcomeOf(await verify(text)), 'valid');
  assert.is(outcomeOf(await verify(text, 'app_1', 'test')), 'mode_mismatch');
  assert.is(
    outcomeOf(await verify(signed(header, { ...older, aud: ['svc_test', 'app_1'] }), 'app_1', 'test')),
    'invalid',
  );
});

test.run();
