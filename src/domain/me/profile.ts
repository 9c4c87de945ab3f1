/** A signed-in user's own profile, the name, which they may change freely, and sign-out. */
import type { Profile, UserRecord } from '../../ports/store.ts';
import { SECOND } from '../../protocol/limits.ts';
import type { UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { galleryOf, onBehalf } from '../tokens/claims.ts';
import { tokenRevoked, userGone } from '../tokens/user-token.ts';

/** @throws Refusal not_found */
export async function ownProfile({ store }: Deps, { gallery, user }: UserCaller): Promise<Profile> {
  const profile = await store.profileOf(gallery, user.id);
  if (!profile) throw userGone();
  return profile;
}

/** @throws Refusal not_found */
export async function rename(
  { store }: Deps,
  { gallery, user, claims }: UserCaller,
  name: string,
): Promise<UserRecord> {
  const renamed = await store.updateUser(gallery, user.id, { name, ...onBehalf(claims) });
  if (!renamed) throw userGone();
  return renamed;
}

/**
 * Revokes the tokens of the request. The user's other tokens stay valid.
 * @throws Refusal token_revoked if all of them were revoked before
 */
export async function signOut(
  { store, clock }: Deps,
  { claims, alsoPresented = [] }: UserCaller,
): Promise<void> {
  const revoking = [claims, ...alsoPresented].map(token => {
    const { sub: userId, jti, exp } = token;
    return store.revokeToken(galleryOf(token), { userId, jti, expiresAt: exp * SECOND }, clock.now());
  });
  if (!(await Promise.all(revoking)).includes(true)) throw tokenRevoked();
}
