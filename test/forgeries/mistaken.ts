/**
 * A verifier that makes one well-known mistake, or none: so that the trial can be shown to catch each of them, which it
 * does only with forgeries that would get through.
 */
import { createHmac, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { modeOf, type TokenClaims } from '../../src/domain/tokens/claims.ts';
import type { Json } from '../support/client.ts';
import type { Home, Setup } from './setup.ts';

export const MISTAKES = {
  'takes alg none': 'algorithms',
  'takes an HMAC keyed by the public key': 'algorithms',
  'believes alg': 'algorithms',
  'believes the key in the header': 'keys in the header',
  'tries every key it ever had': 'keys in the header',
  'ignores kid': 'kid tricks',
  'ignores crit': 'crit and b64',
  'takes DER': 'signatures',
  'takes a signature of zeros': 'signatures',
  'takes the first 64 bytes': 'signatures',
  'decodes signatures leniently': 'the signature in other spellings',
  'decodes header and claims before it verifies': 'header and claims in other spellings',
  'ignores further parts': 'other forms',
  'verifies no signature': 'claims changed under a signature',
  'reads numbers from texts': 'exp, iat and nbf',
  'takes tokens of a clock ahead': 'exp, iat and nbf',
  'takes any audience': 'aud',
  'takes an audience in a text': 'aud',
  'takes an issuer that begins alike': 'iss',
  'ignores app_id': 'app_id',
  'ignores livemode': 'livemode',
  'asks for no user': 'sub and the other claims',
  'takes the first of two members': 'repeated members, the bad one last',
  'takes JSON in a list': 'texts that are no JSON, or other members',
} as const;

export type Mistake = keyof typeof MISTAKES;

const text = (part: string) => Buffer.from(part, 'base64url').toString();
const canonical = (part: string) =>
  part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;

/** Whether a verifier with this mistake takes the token. */
export function takes(setup: Setup, home: Home, token: unknown, mistake: Mistake | null): boolean {
  try {
    return typeof token === 'string' && decide(setup, home, token, mistake);
  } catch {
    return false;
  }
}

function decide(setup: Setup, home: Home, token: string, mistake: Mistake | null): boolean {
  const is = (one: Mistake) => mistake === one;
  let parts = token.split('.');
  if (is('ignores further parts')) parts = parts.slice(0, 3);
  if (parts.length !== 3) return false;
  const [head, body, signature] = parts as [string, string, string];
  const lax = is('decodes header and claims before it verifies');
  if (!lax && ![head, body].every(canonical)) return false;
  const any = is('decodes signatures leniently') || is('takes alg none') || lax;
  if (!any && !canonical(signature)) return false;
  const parse = (part: string): Json => {
    const value = is('takes the first of two members') ? firstWins(text(part)) : JSON.parse(text(part));
    return is('takes JSON in a list') && Array.isArray(value) ? value[0] : value;
  };
  const header = parse(head);
  const claims = parse(body);
  if (header.crit !== undefined && !is('ignores crit')) return false;
  const input = lax ? `${encoded(text(head))}.${encoded(text(body))}` : `${head}.${body}`;
  return (
    proven(setup, header, input, Buffer.from(signature, 'base64url'), mistake) &&
    fits(setup, home, claims, mistake)
  );
}

const encoded = (value: string) => Buffer.from(value).toString('base64url');

function proven(setup: Setup, header: Json, input: string, bytes: Buffer, mistake: Mistake | null): boolean {
  const is = (one: Mistake) => mistake === one;
  const found = setup.keys.find(({ kid }) => kid === header.kid);
  if (is('takes alg none') && header.alg === 'none') return true;
  if (is('takes an HMAC keyed by the public key') && header.alg === 'HS256' && found) {
    const secret = createPublicKey(found.private).export({ type: 'spki', format: 'pem' });
    return createHmac('sha256', secret).update(input).digest().equals(bytes);
  }
  if (is('believes alg') ? typeof header.alg !== 'string' : header.alg !== 'ES256') return false;
  const keys: KeyObject[] = [];
  if (found) keys.push(createPublicKey(found.private));
  if (is('believes the key in the header') && header.jwk)
    keys.push(createPublicKey({ key: header.jwk, format: 'jwk' }));
  if (is('ignores kid')) keys.push(...setup.keys.map(key => createPublicKey(key.private)));
  if (is('tries every key it ever had')) keys.push(createPublicKey(setup.left.private));
  if (keys.length > 0 && is('verifies no signature')) return true;
  if (
    keys.length > 0 &&
    is('takes a signature of zeros') &&
    bytes.length === 64 &&
    bytes.every(byte => byte === 0)
  )
    return true;
  const hash = is('believes alg') && header.alg === 'ES384' ? 'sha384' : 'sha256';
  const good = (dsaEncoding: 'ieee-p1363' | 'der', of: Buffer) =>
    keys.some(key => verify(hash, Buffer.from(input), { key, dsaEncoding }, of));
  if (is('takes DER') && good('der', bytes)) return true;
  const raw = is('takes the first 64 bytes') ? bytes.subarray(0, 64) : bytes;
  return raw.length === 64 && good('ieee-p1363', raw);
}

function fits(setup: Setup, home: Home, claims: TokenClaims & Json, mistake: Mistake | null): boolean {
  const is = (one: Mistake) => mistake === one;
  const { base } = setup.run;
  const issued = is('takes an issuer that begins alike')
    ? String(claims.iss).startsWith(base)
    : claims.iss === base;
  const mode = is('ignores livemode') ? home.mode : modeOf(claims);
  const wanted = [mode === 'live' ? 'svc' : 'svc_test', home.app.id];
  const list = Array.isArray(claims.aud) && claims.aud.every((one: unknown) => typeof one === 'string');
  const heard =
    is('takes any audience') ||
    ((list || is('takes an audience in a text')) && wanted.every(one => claims.aud.includes(one)));
  const number = (value: unknown) => (is('reads numbers from texts') ? Number(value) : value);
  const texts = [claims.sub, claims.email, claims.jti].every(value => typeof value === 'string');
  const typed =
    texts &&
    list === Array.isArray(claims.aud) &&
    Array.isArray(claims.amr) &&
    claims.amr.every((one: unknown) => typeof one === 'string');
  const flags =
    typeof claims.email_verified === 'boolean' && [undefined, true, false].includes(claims.livemode);
  const timed = [claims.iat, claims.exp].every(value => Number.isSafeInteger(number(value)));
  const revoked = JSON.parse(text(home.revoked.split('.')[1] ?? '')).jti === claims.jti;
  return (
    issued &&
    heard &&
    timed &&
    (Number(claims.iat) <= setup.now + 60 || is('takes tokens of a clock ahead')) &&
    !revoked &&
    (typed || is('takes an audience in a text') || is('takes any audience')) &&
    (flags || is('ignores livemode')) &&
    (claims.app_id === home.app.id || is('ignores app_id')) &&
    mode === home.mode &&
    Number(claims.exp) > setup.now &&
    (home.users.some(({ id }) => id === claims.sub) || is('asks for no user'))
  );
}

/** JSON in which the first of two members of one name counts. */
function firstWins(json: string): Json {
  const value = JSON.parse(json);
  for (const name of Object.keys(value)) {
    const first = new RegExp(`"${name}":("[^"]*"|\\d+|\\[[^\\]]*\\]|true|false|null)`).exec(json)?.[1];
    if (first !== undefined) value[name] = JSON.parse(first);
  }
  return value;
}
