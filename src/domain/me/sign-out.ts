/** The end of a session, and of an account. */
import type { UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { tokenRevoked } from '../tokens/user-token.ts';
import { deleteUser } from '../users.ts';

/** Denies what was presented from now on; other tokens of the user stay good. @throws Refusal token_revoked when all of it was denied before */
export async function signOut({ store }: Deps, { claims, alsoPresented = [] }: UserCaller): Promise<void> {
  const revoking = [claims, ...alsoPresented].map(({ jti, exp }) => store.revokeToken(jti, exp * 1_000));
  if (!(await Promise.all(revoking)).includes(true)) throw tokenRevoked();
}

/** Erases the account as the app's own server would. @throws Refusal not_found */
export function deleteAccount(deps: Deps, caller: UserCaller): Promise<void> {
  return deleteUser(deps, caller, caller.user.id);
}
