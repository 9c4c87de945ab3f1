/**
 * Online verification of a user token for the app that asks. The reasons are decided in a fixed order, so that a
 * token which is not ours never learns whether it would be expired, revoked or of a deleted user.
 */
import { compactVerify } from 'jose';
import type { Credential } from '../../ports/store.ts';
import type { Deps } from '../deps.ts';
import { audienceOf, modeOf, type TokenClaims } from './claims.ts';

export type RejectReason = 'invalid' | 'mode_mismatch' | 'expired' | 'revoked' | 'user_not_found';

export type Verified =
  | { readonly valid: true; readonly claims: TokenClaims }
  | { readonly valid: false; readonly reason: RejectReason };

export async function verifyToken(deps: Deps, { app, key }: Credential, token: string): Promise<Verified> {
  const claims = await signedClaims(deps, token);
  if (!claims || !isFor(claims, deps.settings.baseUrl, app.id)) return reject('invalid');
  const mode = modeOf(claims);
  if (mode !== key.mode) return reject('mode_mismatch');
  if (claims.exp * 1_000 <= deps.clock.now()) return reject('expired');
  const standing = await deps.store.tokenStanding({ appId: app.id, mode }, claims.jti, claims.sub);
  if (standing === 'revoked') return reject('revoked');
  if (standing === 'user_missing') return reject('user_not_found');
  return { valid: true, claims };
}

function reject(reason: RejectReason): Verified {
  return { valid: false, reason };
}

function isFor(claims: TokenClaims, issuer: string, appId: string): boolean {
  const wanted = audienceOf(modeOf(claims), appId);
  return (
    claims.iss === issuer &&
    claims.app_id === appId &&
    wanted.every(audience => claims.aud.includes(audience))
  );
}

/** The claims, when one of our published keys has signed exactly this text; else null. */
async function signedClaims(deps: Deps, token: string): Promise<TokenClaims | null> {
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
  return claims && hasTypes(claims) ? claims : null;
}

/** Whether the text is the one base64url spelling of its bytes: every other spelling would be a second token. */
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
