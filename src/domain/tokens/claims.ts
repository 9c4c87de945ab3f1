/** The claims of a user token. */
import { AUDIENCE } from '../../brand.ts';
import type { GalleryKey } from '../../ports/matcher.ts';
import type { OnBehalf } from '../../ports/store.ts';
import type { Mode } from '../../protocol/mode.ts';

export interface TokenClaims {
  readonly iss: string;
  /** Audience of the token's mode, and the app. */
  readonly aud: readonly string[];
  readonly sub: string;
  readonly app_id: string;
  readonly email: string;
  /** Integer seconds since the epoch. */
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  /** RFC 8176: `face` or `otp`. */
  readonly amr: readonly string[];
  readonly email_verified: boolean;
  /** Absent in tokens from before test mode, which count as live. */
  readonly livemode?: boolean;
}

export function modeOf(claims: Pick<TokenClaims, 'livemode'>): Mode {
  return claims.livemode === false ? 'test' : 'live';
}

export const galleryOf = (claims: Pick<TokenClaims, 'app_id' | 'livemode'>): GalleryKey => ({
  appId: claims.app_id,
  mode: modeOf(claims),
});

/** Whether the token was issued for an email code, and for nothing else. */
export function isFromCode({ amr }: Pick<TokenClaims, 'amr'>): boolean {
  return amr.length === 1 && amr[0] === 'otp';
}

/** Who acts, as the store wants to know it. */
export const onBehalf = (claims: Pick<TokenClaims, 'amr'>): OnBehalf => ({ byFace: !isFromCode(claims) });

export function audienceOf(mode: Mode, appId: string): string[] {
  return [AUDIENCE[mode], appId];
}
