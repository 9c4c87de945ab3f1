/** Single-use challenges: issued to a page before it captures a face, consumed by the call that sends descriptors. */
import { CHALLENGE_LIFETIME } from '../protocol/limits.ts';
import type { Caller } from './caller.ts';
import type { Deps } from './deps.ts';
import { newId } from './ids.ts';
import { requirePlan } from './limits/admission.ts';
import { appGone, challengeInvalid } from './refusal.ts';

const NONCE_BYTES = 32;

export interface Challenge {
  readonly id: string;
  /** base64url of 32 random bytes. */
  readonly nonce: string;
  readonly expiresAt: number;
}

/** @throws Refusal plan_limit_reached */
export async function issueChallenge(deps: Deps, caller: Caller): Promise<Challenge> {
  await requirePlan(deps, caller);
  const id = newId(deps.random, 'ch');
  const expiresAt = deps.clock.now() + CHALLENGE_LIFETIME;
  const stored = await deps.store.addChallenge({ id, gallery: caller.gallery, expiresAt });
  if (!stored) throw appGone();
  return { id, nonce: deps.random.bytes(NONCE_BYTES).toString('base64url'), expiresAt };
}

/**
 * For a call that consumes the challenge later, together with its outcome. The call is refused here before it does
 * any work: otherwise the time of the refusal would reveal what the work found. @throws Refusal challenge_invalid
 */
export async function requireChallenge({ store, clock }: Deps, caller: Caller, id: string): Promise<void> {
  if (!(await store.challengeIsOpen(id, caller.gallery, clock.now()))) throw challengeInvalid();
}

/** Consumes the challenge, whether or not the call succeeds. @throws Refusal challenge_invalid */
export async function consumeChallenge({ store, clock }: Deps, caller: Caller, id: string): Promise<void> {
  if (!(await store.consumeChallenge(id, caller.gallery, clock.now()))) throw challengeInvalid();
}
