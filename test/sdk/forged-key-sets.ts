/**
 * Key sets that hold bad keys beside a good one, after the JWK suite of Wycheproof, served from an address of their own
 * each: the documented verifiers have to take the good key's tokens and none of the bad one's.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { Json } from '../support/client.ts';
import { listening } from '../support/listening.ts';
import { encode } from '../support/token-forge.ts';

/** `accepted`, or anything else. */
export type OfflineVerifier = (token: string, issuer: string, appId: string) => Promise<string>;

interface BadKey {
  readonly name: string;
  /** What stands in the set for a key of nobody, beside the good one; or in a list of its own, instead of all. */
  make(bad: Json, good: Json, secret: Json): Json | { readonly set: unknown };
  /** The good key cannot be told from the bad one, or the set is none: no token needs to be accepted. */
  readonly spoils?: true;
}

const b64 = (bytes: Buffer) => bytes.toString('base64url');
const raw = (text: string) => Buffer.from(text, 'base64url');
const zeros = b64(Buffer.alloc(32));
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
const without = (key: Json, name: string) => ({ ...key, [name]: undefined });

/** Of every kind the bad key's own id, and a token signed by its private half under that id. */
const BAD_KEYS: readonly BadKey[] = [
  ...['kty', 'crv', 'x', 'y'].map(name => ({
    name: `without ${name}`,
    make: (bad: Json) => without(bad, name),
  })),
  { name: 'crv of another curve', make: bad => ({ ...bad, crv: 'P-384' }) },
  { name: 'crv of secp256k1', make: bad => ({ ...bad, crv: 'secp256k1' }) },
  { name: 'crv in lower case', make: bad => ({ ...bad, crv: 'p-256' }) },
  { name: 'crv by its other name', make: bad => ({ ...bad, crv: 'prime256v1' }) },
  { name: 'crv null', make: bad => ({ ...bad, crv: null }) },
  { name: 'a key of another curve', make: bad => ({ ...p384, kid: bad.kid }) },
  {
    name: 'a key of another curve that calls itself P-256',
    make: bad => ({ ...p384, crv: 'P-256', kid: bad.kid }),
  },
  {
    name: 'a point that is not on the curve',
    make: bad => ({ ...bad, y: b64(Buffer.from(raw(bad.y).map((byte, n) => (n === 31 ? byte ^ 1 : byte)))) }),
  },
  { name: 'the point at infinity', make: bad => ({ ...bad, x: zeros, y: zeros }) },
  {
    name: 'coordinates as large as the field',
    make: bad => ({ ...bad, x: b64(Buffer.alloc(32, 255)), y: b64(Buffer.alloc(32, 255)) }),
  },
  { name: 'x cut short', make: bad => ({ ...bad, x: b64(raw(bad.x).subarray(1)) }) },
  {
    name: 'x with a byte too many',
    make: bad => ({ ...bad, x: b64(Buffer.concat([raw(bad.x), Buffer.of(1)])) }),
  },
  { name: 'x empty', make: bad => ({ ...bad, x: '' }) },
  { name: 'x in hexadecimal', make: bad => ({ ...bad, x: raw(bad.x).toString('hex') }) },
  { name: 'x a number', make: bad => ({ ...bad, x: 1 }) },
  { name: 'x and y exchanged', make: bad => ({ ...bad, x: bad.y, y: bad.x }) },
  { name: 'for encryption', make: bad => ({ ...bad, use: 'enc' }) },
  { name: 'for another algorithm', make: bad => ({ ...bad, alg: 'ES384' }) },
  { name: 'for HS256', make: bad => ({ ...bad, alg: 'HS256' }) },
  { name: 'for signing only', make: bad => ({ ...bad, key_ops: ['sign'] }) },
  { name: 'with its private part', make: (bad, _, secret) => ({ ...secret, kid: bad.kid }) },
  { name: 'with the id of the good one', make: (bad, good) => ({ ...bad, kid: good.kid }), spoils: true },
  {
    name: 'a secret that calls itself by its id',
    make: bad => ({ kty: 'oct', k: 'AAAA', kid: bad.kid, alg: 'HS256' }),
  },
  { name: 'an RSA key', make: bad => ({ ...rsa, kid: bad.kid }) },
  { name: 'an RSA key that calls itself EC', make: bad => ({ ...rsa, kty: 'EC', kid: bad.kid }) },
  { name: 'kty of Edwards curves', make: bad => ({ ...bad, kty: 'OKP', crv: 'Ed25519' }) },
  { name: 'with another id', make: bad => ({ ...bad, kid: `${bad.kid}x` }) },
  { name: 'with its id in a list', make: bad => ({ ...bad, kid: [bad.kid] }) },
  { name: 'with an empty id', make: bad => ({ ...bad, kid: '' }) },
  { name: 'null beside the good one', make: () => null, spoils: true },
  { name: 'a text beside the good one', make: () => 'key', spoils: true },
  { name: 'a list beside the good one', make: () => [], spoils: true },
  { name: 'empty beside the good one', make: () => ({}) },
  { name: 'a set that is a list', make: (bad, good) => ({ set: [good, without(bad, 'x')] }), spoils: true },
  { name: 'a set in another case', make: (_, good) => ({ set: { KEYS: [good] } }), spoils: true },
  { name: 'no keys', make: () => ({ set: { keys: [] } }), spoils: true },
  { name: 'keys in an object', make: (_, good) => ({ set: { keys: { 0: good, length: 1 } } }), spoils: true },
  { name: 'nothing', make: () => ({ set: null }), spoils: true },
];

/** The issuer's good key and a bad one, by name. */
function keySetOf({ make }: BadKey, good: Json, bad: Json, secret: Json): unknown {
  const made = make(bad, good, secret);
  return made && typeof made === 'object' && 'set' in made ? made.set : { keys: [good, made] };
}

interface SetVerdicts {
  readonly asked: number;
  /** Tokens of bad keys that were taken. */
  readonly accepted: string[];
  /** Tokens of the good key that were refused. */
  readonly refused: string[];
}

/** Asks a verifier about every set: a token of its good key and ones of its bad one. */
export async function judgeSets(verifier: OfflineVerifier): Promise<SetVerdicts> {
  const sets = new Map<string, unknown>();
  await using server = await listening((request, response) => {
    const name = decodeURIComponent((request.url ?? '').split('/')[1] ?? '');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(sets.get(name) ?? null));
  });
  const verdicts = { asked: 0, accepted: [] as string[], refused: [] as string[] };
  const appId = 'app_1';
  for (const kind of [GOOD_SET, ...BAD_KEYS]) {
    const [good, bad] = [newKey('good'), newKey('bad')];
    const publicOf = ({ jwk, kid }: typeof good) => ({ ...jwk, kid, alg: 'ES256', use: 'sig' });
    const iss = `${server.base}/${encodeURIComponent(kind.name)}`;
    sets.set(kind.name, keySetOf(kind, publicOf(good), publicOf(bad), bad.private.export({ format: 'jwk' })));
    const token = (key: typeof good, kid: string) => {
      const exp = Math.floor(Date.now() / 1_000) + 600;
      const claims = {
        iss,
        aud: ['svc', appId],
        sub: 'usr_1',
        app_id: appId,
        email: 'ada@example.com',
        iat: exp - 3_600,
        exp,
        jti: randomUUID(),
        amr: ['face'],
        email_verified: true,
        livemode: true,
      };
      const text = `${encode({ alg: 'ES256', kid })}.${encode(claims)}`;
      const how = { key: key.private, dsaEncoding: 'ieee-p1363' } as const;
      return `${text}.${sign('sha256', Buffer.from(text), how).toString('base64url')}`;
    };
    const tokens = [token(good, good.kid), token(bad, bad.kid), token(bad, good.kid)];
    const [control, ...attacks] = await Promise.all(tokens.map(one => verifier(one, iss, appId)));
    verdicts.asked += tokens.length;
    const taken = attacks.filter(verdict => verdict === 'accepted').length;
    if (taken > 0) verdicts.accepted.push(kind.name);
    if (control !== 'accepted' && !kind.spoils) verdicts.refused.push(`${kind.name}: ${control}`);
  }
  return verdicts;
}

const GOOD_SET: BadKey = { name: 'no bad key', make: (_, good) => ({ set: { keys: [good] } }) };
const newKey = (kid: string): { kid: string; private: KeyObject; jwk: Json } => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid, private: privateKey, jwk: createPublicKey(privateKey).export({ format: 'jwk' }) as Json };
};
