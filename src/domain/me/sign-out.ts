/** The end of a session, and of an account. */
import type { UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { tokenRevoked } from '../tokens/user-token.ts';
import { deleteUser } from '../users.ts';

/** Denies this token from now on; others of the user stay good. @throws Refusal token_revoked when it was denied before */
export async function signOut({ store }: Deps, { claims }: UserCaller): Promise<void> {
  if (!(await store.revokeToken(claims.jti, claims.exp * 1_000))) throw tokenRevoked();
}

/** Erases the account as the app's own server would. @throws Refusal not_found */
export function deleteAccount(deps: Deps, caller: UserCaller): Promise<void> {
  return deleteUser(deps, caller, caller.user.id);
}
