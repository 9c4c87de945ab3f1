/** Sign-out. */
import type { UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { tokenRevoked } from '../tokens/user-token.ts';

/**
 * Revokes the tokens of the request. The user's other tokens stay valid.
 * @throws Refusal token_revoked if all of them were revoked before
 */
export async function signOut({ store }: Deps, { claims, alsoPresented = [] }: UserCaller): Promise<void> {
  const revoking = [claims, ...alsoPresented].map(({ jti, exp }) => store.revokeToken(jti, exp * 1_000));
  if (!(await Promise.all(revoking)).includes(true)) throw tokenRevoked();
}
