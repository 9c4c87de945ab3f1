/** A signed-in user's own profile, and the name, which they may change freely. */
import type { Profile, UserRecord } from '../../ports/store.ts';
import type { UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { onBehalf } from '../tokens/claims.ts';
import { userGone } from '../tokens/user-token.ts';

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
