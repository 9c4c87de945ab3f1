/** Issues user tokens: ES256, one hour. */
import { SignJWT } from 'jose';
import type { UserRecord } from '../../ports/store.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../protocol/limits.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { audienceOf, type TokenClaims } from './claims.ts';

export interface IssuedToken {
  readonly token: string;
  /** The token's `exp`, in milliseconds. */
  readonly expiresAt: number;
}

/** @param method how the user proved to be one: RFC 8176 value of `amr` */
export async function issueToken(
  deps: Deps,
  caller: Caller,
  user: UserRecord,
  method: 'face' | 'otp',
): Promise<IssuedToken> {
  const { appId, mode } = caller.gallery;
  const { kid, key } = await deps.signingKeys.current();
  const iat = Math.floor(deps.clock.now() / 1_000);
  const claims: TokenClaims = {
    iss: deps.settings.baseUrl,
    aud: audienceOf(mode, appId),
    sub: user.id,
    app_id: appId,
    email: user.email,
    iat,
    exp: iat + TOKEN_LIFETIME_SECONDS,
    jti: newId(deps.random, 'jti'),
    amr: [method],
    email_verified: user.emailVerified,
    livemode: mode === 'live',
  };
  const token = await new SignJWT({ ...claims, aud: [...claims.aud] })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
    .sign(key);
  return { token, expiresAt: claims.exp * 1_000 };
}
