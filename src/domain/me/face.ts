/**
 * The owner of an address confirms that the face enrolled with it is theirs. Until then, only tokens from a code
 * count the address as verified. Someone who enrolled first with another person's address cannot get such tokens, and
 * a token from the face cannot confirm the face. codes/sign-in.ts explains why a page has to ask. Held by
 * test/http/face-confirmation.test.ts.
 */
import type { UserRecord } from '../../ports/store.ts';
import { SECOND } from '../../protocol/limits.ts';
import type { UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { isFromCode } from '../tokens/claims.ts';
import { userGone } from '../tokens/user-token.ts';

/**
 * While the face is in question, it may not change, move or delete the account: whoever enrolled it could take the
 * account along before the owner answers. The store decides once more, in the step of the change.
 * @throws Refusal unauthorized
 */
export function requireOwner({ user, claims }: Pick<UserCaller, 'user' | 'claims'>): void {
  if (user.faceInQuestion && !isFromCode(claims)) throw faceInQuestion();
}

export function faceInQuestion(): Refusal {
  return new Refusal(
    'unauthorized',
    'The owner of the email address has not confirmed the enrolled face yet, so a token from the face cannot change this account: sign in with an email code.',
  );
}

/** @throws Refusal unauthorized, not_found */
export async function confirmFace(
  { store, clock }: Deps,
  { gallery, user, claims }: UserCaller,
): Promise<UserRecord> {
  if (!isFromCode(claims))
    throw new Refusal(
      'unauthorized',
      'Confirming the face requires a token from an email code: sign in by code.',
    );
  const confirmed = await store.updateUser(gallery, user.id, {
    faceConfirmedAt: clock.now(),
    issuedAt: claims.iat * SECOND,
  });
  if (!confirmed) throw userGone();
  return confirmed;
}
