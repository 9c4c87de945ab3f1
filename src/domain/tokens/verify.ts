/**
 * Online verification of a user token, for the app that asks. The reasons have a fixed order, so that the answer
 * never reveals whether an invalid token is also expired, revoked or from a deleted user.
 */
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { modeOf, type TokenClaims } from './claims.ts';
import { isFor, signedClaims } from './signed-claims.ts';

type RejectReason = 'invalid' | 'mode_mismatch' | 'expired' | 'revoked' | 'user_not_found';

export type Verified =
  | { readonly valid: true; readonly claims: TokenClaims }
  | { readonly valid: false; readonly reason: RejectReason };

export async function verifyToken(
  deps: Deps,
  { gallery }: Pick<Caller, 'gallery'>,
  token: string,
): Promise<Verified> {
  const claims = await signedClaims(deps, token);
  if (!claims || !isFor(claims, deps.settings.baseUrl, gallery.appId)) return reject('invalid');
  const mode = modeOf(claims);
  if (mode !== gallery.mode) return reject('mode_mismatch');
  if (claims.exp * 1_000 <= deps.clock.now()) return reject('expired');
  const standing = await deps.store.tokenStanding(gallery, claims);
  if (standing === 'revoked') return reject('revoked');
  if (standing === 'user_missing') return reject('user_not_found');
  return { valid: true, claims };
}

function reject(reason: RejectReason): Verified {
  return { valid: false, reason };
}
