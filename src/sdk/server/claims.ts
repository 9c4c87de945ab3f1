/**
 * The claims of a user token, and the rules that an offline verifier checks: issuer, audience (the token's own mode and
 * the app), app, mode, time. These checks run before the signature is verified, so they can only refuse a token.
 * Held by test/sdk/server-verify.test.ts and test/sdk/server-forgeries.long.test.ts.
 */
import { AUDIENCE } from '../../brand.ts';
import type { Mode } from '../../protocol/mode.ts';
import { VerificationError } from './errors.ts';
import type { Settings } from './options.ts';

/** How far clocks may differ, in milliseconds; the service allows as much. */
const ISSUED_AHEAD = 60_000;

/** The claims as in the token. Times are whole seconds since the epoch. */
export interface UserTokenClaims {
  readonly iss: string;
  readonly aud: readonly string[];
  readonly sub: string;
  readonly app_id: string;
  readonly email: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  readonly amr: readonly string[];
  readonly email_verified: boolean;
  /** Missing in tokens issued before test mode existed: those are live. */
  readonly livemode?: boolean;
  readonly [other: string]: unknown;
}

/** The claims of a verified token. */
export interface VerifiedClaims {
  /** The user: key your accounts on it, never on the address. */
  readonly sub: string;
  /** Only what the user claims, until `emailVerified`. */
  readonly email: string;
  /** Whether the address was proven by a code. It does not prove that the face belongs to its owner. */
  readonly emailVerified: boolean;
  readonly appId: string;
  /** How the user signed in (RFC 8176): `face` or `otp`. */
  readonly amr: readonly string[];
  /** False for a token of test keys. */
  readonly livemode: boolean;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** Id of the token. */
  readonly jti: string;
  /**
   * How sign-outs and deleted users were looked for: by asking the service (`online`), in the revocations it told of
   * (`feed`), or not at all (`offline`).
   */
  readonly checked: 'online' | 'feed' | 'offline';
  /** The claims as in the token. */
  readonly raw: UserTokenClaims;
}

/** The latest time that a Date can represent, in seconds. */
const LATEST = 8.64e12;

export function hasClaims(value: Record<string, unknown>): value is UserTokenClaims {
  const { iss, aud, sub, app_id, email, iat, exp, jti, amr, email_verified, livemode, nbf } = value;
  return (
    [iss, sub, app_id, email, jti].every(text => typeof text === 'string') &&
    [iat, exp, nbf ?? 0].every(isTime) &&
    [aud, amr].every(isTextList) &&
    typeof email_verified === 'boolean' &&
    (livemode === undefined || typeof livemode === 'boolean')
  );
}

const isTime = (value: unknown) => Number.isSafeInteger(value) && Math.abs(value as number) <= LATEST;

const isTextList = (value: unknown) => Array.isArray(value) && value.every(item => typeof item === 'string');

const isLive = (claims: UserTokenClaims) => claims.livemode ?? true;

/** @throws VerificationError issuer, audience, app, mode_mismatch */
export function checkWhose(claims: UserTokenClaims, { issuer, appId, mode }: Settings): void {
  if (claims.iss !== issuer) throw new VerificationError('issuer');
  const own: Mode = isLive(claims) ? 'live' : 'test';
  if (![AUDIENCE[own], claims.app_id].every(audience => claims.aud.includes(audience)))
    throw new VerificationError('audience');
  if (claims.app_id !== appId) throw new VerificationError('app');
  if (own !== mode) throw new VerificationError('mode_mismatch');
}

/** @throws VerificationError expired, not_yet_valid, invalid */
export function checkTime(claims: UserTokenClaims, { now, toleranceMs }: Settings): void {
  const time = now();
  // Written so that a clock that returns NaN refuses the token.
  if (!(time < claims.exp * 1_000 + toleranceMs)) throw new VerificationError('expired');
  if (typeof claims.nbf === 'number' && !(time >= claims.nbf * 1_000 - toleranceMs))
    throw new VerificationError('not_yet_valid');
  // Such a token would be good for as long as the clock of the service was ahead.
  if (!(claims.iat * 1_000 <= time + Math.max(toleranceMs, ISSUED_AHEAD)))
    throw new VerificationError('invalid');
}

export function verifiedClaims(raw: UserTokenClaims, checked: VerifiedClaims['checked']): VerifiedClaims {
  return {
    sub: raw.sub,
    email: raw.email,
    emailVerified: raw.email_verified,
    appId: raw.app_id,
    amr: raw.amr,
    livemode: isLive(raw),
    issuedAt: new Date(raw.iat * 1_000),
    expiresAt: new Date(raw.exp * 1_000),
    jti: raw.jti,
    checked,
    raw,
  };
}
