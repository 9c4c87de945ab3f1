/**
 * The owner of an address says that the face enrolled with it is theirs. Until then the address counts as verified only in
 * tokens from a code: whoever enrolled first with somebody else's address gets none of those. So a token from the face
 * cannot confirm itself. Why a page has to ask: codes/verify.ts. test/http/face-confirmation.test.ts holds it.
 */
import type { UserRecord } from '../../ports/store.ts';
import type { UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { isFromCode } from '../tokens/claims.ts';
import { userGone } from '../tokens/user-token.ts';

/** @throws Refusal unauthorized, not_found */
export async function confirmFace(
  { store, clock }: Deps,
  { gallery, user, claims }: UserCaller,
): Promise<UserRecord> {
  if (!isFromCode(claims))
    throw new Refusal(
      'unauthorized',
      'The face is confirmed with a token from an email code: sign in by code.',
    );
  const confirmed = await store.confirmFace(gallery, user.id, clock.now());
  if (!confirmed) throw userGone();
  return confirmed;
}
