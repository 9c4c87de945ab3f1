/**
 * Reads a token and checks its format, its signature by a published key, the types of its claims, and that it was not
 * issued later than now. The algorithm is fixed, and keys in the header are ignored. Held by
 * test/domain/token-verification.test.ts.
 */
import { compactVerify } from 'jose';
import { ISSUED_AHEAD } from '../../protocol/limits.ts';
import type { Deps } from '../deps.ts';
import { audienceOf, modeOf, type TokenClaims } from './claims.ts';

/** Whether this service issued the claims for this app, in their mode. */
export function isFor(claims: TokenClaims, issuer: string, appId: string): boolean {
  const wanted = audienceOf(modeOf(claims), appId);
  return (
    claims.iss === issuer &&
    claims.app_id === appId &&
    wanted.every(audience => claims.aud.includes(audience))
  );
}

/** The claims, if a published key has signed exactly this text, and not under a clock ahead; otherwise null. */
export async function signedClaims(deps: Deps, token: string): Promise<TokenClaims | null> {
  const parts = token.split('.');
  if (parts.length !== 3 || !parts.every(isCanonical)) return null;
  const header = parseObject(parts[0] as string);
  if (header?.alg !== 'ES256' || typeof header.kid !== 'string' || header.crit !== undefined) return null;
  const key = await deps.signingKeys.verifier(header.kid);
  if (!key) return null;
  try {
    await compactVerify(token, key, { algorithms: ['ES256'] });
  } catch {
    return null;
  }
  const claims = parseObject(parts[1] as string);
  if (!claims || !hasTypes(claims)) return null;
  return claims.iat * 1_000 <= deps.clock.now() + ISSUED_AHEAD ? claims : null;
}

/**
 * Whether the text is the canonical base64url encoding of its bytes. Any other encoding would be a second form of the
 * same token.
 */
function isCanonical(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;
}

function parseObject(part: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function hasTypes(claims: Record<string, unknown>): claims is Record<string, unknown> & TokenClaims {
  const texts = [claims.iss, claims.sub, claims.app_id, claims.email, claims.jti];
  return (
    texts.every(text => typeof text === 'string') &&
    [claims.iat, claims.exp].every(Number.isSafeInteger) &&
    isTextList(claims.aud) &&
    isTextList(claims.amr) &&
    typeof claims.email_verified === 'boolean' &&
    (claims.livemode === undefined || typeof claims.livemode === 'boolean')
  );
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}
