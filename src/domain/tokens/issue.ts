/**
 * Issues user tokens: ES256, valid for one hour. Signed with Node's own ECDSA on the calling thread: a signature
 * takes 25 µs, and passing it to another thread and back would cost twice as much. Held by test/http/tokens.test.ts,
 * which verifies them with other libraries.
 */
import { sign } from 'node:crypto';
import type { ComingToken, UserRecord } from '../../ports/store.ts';
import { SECOND, TOKEN_LIFETIME_SECONDS } from '../../protocol/limits.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { audienceOf, type TokenClaims } from './claims.ts';

export interface IssuedToken {
  readonly token: string;
  /** The token's `exp`, in milliseconds. */
  readonly expiresAt: number;
}

/** Before the step in the store that it belongs to, which tells others of it. Its signature comes after. */
export function newToken({ clock, random }: Pick<Deps, 'clock' | 'random'>): ComingToken {
  const iat = Math.floor(clock.now() / SECOND);
  return { jti: newId(random, 'jti'), expiresAt: (iat + TOKEN_LIFETIME_SECONDS) * SECOND };
}

/** @param method how the user signed in, as an `amr` value of RFC 8176 */
export async function issueToken(
  deps: Deps,
  caller: Caller,
  user: UserRecord,
  method: 'face' | 'otp',
  { jti, expiresAt }: ComingToken,
  signing = deps.signingKeys.current(),
): Promise<IssuedToken> {
  const { appId, mode } = caller.gallery;
  const { kid, key } = await signing;
  const exp = expiresAt / SECOND;
  const claims: TokenClaims = {
    iss: deps.settings.baseUrl,
    aud: audienceOf(mode, appId),
    sub: user.id,
    app_id: appId,
    email: user.email,
    iat: exp - TOKEN_LIFETIME_SECONDS,
    exp,
    jti,
    amr: [method],
    email_verified: user.emailVerified,
    livemode: mode === 'live',
  };
  const signed = `${encoded({ alg: 'ES256', typ: 'JWT', kid })}.${encoded(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  const token = `${signed}.${signature.toString('base64url')}`;
  return { token, expiresAt };
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
