/** Good tokens, each another one, as the service would issue them; and the tools to make bad ones of them. */
import { type KeyObject, sign } from 'node:crypto';
import { type Chance, chanceOf } from '../support/chance.ts';
import { type Claims, encode, type Header } from '../support/token-forge.ts';
import type { Home, Setup } from './setup.ts';
import type { Given } from './variant.ts';

/** Older ones would end before a long trial does. */
const OLDEST = 300;

const part = (value: Header | string | Buffer | unknown) =>
  Buffer.isBuffer(value) ? value.toString('base64url') : encode(value);

export function signText(text: string, key: KeyObject, hash = 'sha256'): Buffer {
  return sign(hash, Buffer.from(text, 'latin1'), { key, dsaEncoding: 'ieee-p1363' });
}

export function givenOf(setup: Setup, seed: number, index: number): Given {
  const chance = chanceOf(seed, index);
  const home = setup.homes[chance.pick([0, 0, 0, 0, 0, 0, 1, 1, 2, 3])] as Home;
  const key = setup.keys[chance.pick([0, 1, 1, 1])] as Setup['keys'][0];
  const header: Header = { alg: 'ES256', typ: 'JWT', kid: key.kid };
  const claims = claimsOf(setup, home, chance);
  const signed: Given['signed'] = (head, body, by = key.private) => {
    const text = `${part(head)}.${part(body)}`;
    return `${text}.${signText(text, by).toString('base64url')}`;
  };
  const token = signed(header, claims);
  const parts = token.split('.') as [string, string, string];
  return {
    setup,
    chance,
    home,
    header,
    claims,
    token,
    parts,
    bytes: Buffer.from(parts[2], 'base64url'),
    signed,
    resigned: (change, head = {}) => signed({ ...header, ...head }, { ...claims, ...change }),
    withSignature: signature =>
      `${parts[0]}.${parts[1]}.${typeof signature === 'string' ? signature : signature.toString('base64url')}`,
  };
}

function claimsOf({ run, now }: Setup, { app, mode, users }: Home, chance: Chance): Claims {
  const user = chance.pick(users);
  const iat = now - chance.below(OLDEST);
  return {
    iss: run.base,
    aud: [mode === 'live' ? 'svc' : 'svc_test', app.id],
    sub: user.id,
    app_id: app.id,
    email: user.email,
    iat,
    exp: iat + 3_600,
    // Tokens of every length modulo three bytes, so that every part has its spare bits now and then.
    jti: `jti_${chance.word(24 + chance.below(3))}`,
    amr: [chance.pick(['face', 'otp'])],
    email_verified: chance.pick([true, false]),
    livemode: mode === 'live',
  };
}
