/**
 * Step 1 of the routes under /v1/me: identifies the user of a token. Checks in this order whether the token is valid,
 * expired or revoked, and whether its user still exists. Held by test/http/credentials.test.ts and matrix.test.ts.
 */
import type { AppRecord } from '../../ports/store.ts';
import type { Caller, UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { galleryOf, modeOf, type TokenClaims } from './claims.ts';
import { isFor, signedClaims } from './signed-claims.ts';

/** A valid token, and its user. */
export type Session = Pick<UserCaller, 'app' | 'gallery' | 'user' | 'claims'>;

/**
 * @param accepts whether the app accepts a token sent this way
 * @throws Refusal unauthorized, token_revoked, not_found
 */
export async function userByToken(
  deps: Deps,
  token: string | undefined,
  accepts: (app: AppRecord) => boolean = () => true,
): Promise<Session> {
  if (!token) throw unauthorized('The user token is missing.');
  const claims = await signedClaims(deps, token);
  const app = claims && (await deps.store.findApp(claims.app_id));
  if (!claims || !app || !isFor(claims, deps.settings.baseUrl, app.id) || !accepts(app))
    throw unauthorized('The token is not valid for this service.');
  if (claims.exp * 1_000 <= deps.clock.now()) throw unauthorized('The token has expired: sign in again.');
  const gallery = galleryOf(claims);
  return { app, gallery, claims, user: await existingUser(deps, gallery, claims) };
}

async function existingUser(
  { store }: Deps,
  gallery: UserCaller['gallery'],
  claims: TokenClaims,
): Promise<UserCaller['user']> {
  const standing = await store.tokenStanding(gallery, claims);
  if (standing === 'revoked') throw tokenRevoked();
  const user = standing === 'good' ? await store.findUser(gallery, { id: claims.sub }) : null;
  if (!user) throw userGone();
  return user;
}

export function tokenRevoked(): Refusal {
  return new Refusal('token_revoked', 'This token was revoked: sign in again.');
}

/** The user of a valid token was deleted before or during the request. */
export function userGone(): Refusal {
  return new Refusal('not_found', 'This user no longer exists.');
}

function unauthorized(what: string): Refusal {
  return new Refusal('unauthorized', `${what} Send it as "Authorization: Bearer <USER_TOKEN>".`);
}

type RejectReason = 'invalid' | 'mode_mismatch' | 'expired' | 'revoked' | 'user_not_found';

export type Verified =
  | { readonly valid: true; readonly claims: TokenClaims }
  | { readonly valid: false; readonly reason: RejectReason };

/**
 * Online verification of a user token, for the app that asks. The reasons have a fixed order, so that the answer
 * never reveals whether an invalid token is also expired, revoked or from a deleted user.
 */
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
