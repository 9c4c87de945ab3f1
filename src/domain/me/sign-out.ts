/** The end of a session. */
import type { UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { tokenRevoked } from '../tokens/user-token.ts';

/** Denies what was presented from now on; other tokens of the user stay good. @throws Refusal token_revoked when all of it was denied before */
export async function signOut({ store }: Deps, { claims, alsoPresented = [] }: UserCaller): Promise<void> {
  const revoking = [claims, ...alsoPresented].map(({ jti, exp }) => store.revokeToken(jti, exp * 1_000));
  if (!(await Promise.all(revoking)).includes(true)) throw tokenRevoked();
}
