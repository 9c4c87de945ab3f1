/**
 * Changes a user's email address. A code goes to the new address, and nothing changes until the user enters it.
 * Afterwards the old address is notified.
 *
 * This also verifies the address, but it revokes no tokens and reports no first verification. Before the first code,
 * only the enrolled face gets tokens, so whoever confirms a change has signed in with that face. No second person can
 * get into the account here, unlike with a sign-in code. The first code ends a pending change, and a face that is then
 * in question can neither request nor confirm one (face.ts). Someone who enrolled with another person's address cannot
 * confirm it, because its codes do not reach them. If they move the account to their own address, the other address
 * becomes free. Revoking tokens would only sign out the person who is changing the address. Held by
 * test/http/first-verification.test.ts.
 */
import type { UserRecord } from '../../ports/store.ts';
import { EMAIL_CHANGE_LIFETIME, MAIL_PATIENCE, SECOND } from '../../protocol/limits.ts';
import type { UserCaller } from '../caller.ts';
import { codeHash, invalidCode, newCode, wrongCodeFloor } from '../codes/code.ts';
import { deliver, emailChangedMessage, emailChangeMessage, type Stored } from '../codes/mail.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { admitEmailChange } from '../limits/code-limits.ts';
import { lockoutKey, lockoutOf } from '../limits/lockout.ts';
import { emailTaken, type Refusal } from '../refusal.ts';
import { onBehalf } from '../tokens/claims.ts';
import { userGone } from '../tokens/user-token.ts';

/**
 * @returns when the code expires
 * @throws Refusal rate_limited, email_taken, email_unavailable, email_send_failed, not_found
 */
export async function requestEmailChange(deps: Deps, caller: UserCaller, email: string): Promise<number> {
  await admitEmailChange(deps, caller, email);
  const expiresAt = deps.clock.now() + EMAIL_CHANGE_LIFETIME;
  const storing = storeChange(deps, caller, email, expiresAt);
  await deliver(deps, caller.gallery.mode, () => storing);
  // The answer depends on whether the address is taken, so it waits for the store, however long that takes.
  await storing;
  return expiresAt;
}

async function storeChange(
  deps: Deps,
  { gallery, app, user, claims }: UserCaller,
  email: string,
  expiresAt: number,
): Promise<Stored> {
  const code = newCode(deps.random, gallery.mode);
  const id = newId(deps.random, 'code');
  const outcome = await deps.store.putCode({
    id,
    gallery,
    userId: user.id,
    hash: codeHash(deps, 'email-change', gallery, user.id, code),
    expiresAt,
    email,
    lockoutKey: lockoutKey(deps, gallery, email),
    ...onBehalf(claims),
  });
  if (outcome === 'user_gone') throw userGone();
  if (outcome === 'email_taken') throw emailTaken('new_email');
  return { id, message: emailChangeMessage(app.name, email, code) };
}

/** @throws Refusal invalid_code, email_taken, not_found */
export async function confirmEmailChange(deps: Deps, caller: UserCaller, code: string): Promise<UserRecord> {
  const { gallery, user, claims, ip, userAgent } = caller;
  const floor = wrongCodeFloor(gallery.mode);
  const confirmed = await deps.store.confirmEmailChange({
    gallery,
    userId: user.id,
    hash: codeHash(deps, 'email-change', gallery, user.id, code),
    at: deps.clock.now(),
    lockout: lockoutOf(deps, caller, user.email),
    origin: { ip, userAgent, liveness: undefined },
    issuedAt: claims.iat * SECOND,
    ...onBehalf(claims),
  });
  if (confirmed.outcome !== 'applied') throw await refused(confirmed.outcome, floor);
  const { before } = confirmed;
  if (before !== confirmed.user.email) notifyOldAddress(deps, caller, before);
  return confirmed.user;
}

async function refused(why: 'user_gone' | 'email_taken' | 'wrong', floor: Promise<void>): Promise<Refusal> {
  if (why === 'user_gone') return userGone();
  if (why === 'email_taken') return emailTaken('code');
  await floor;
  return invalidCode();
}

/** Runs after the response: the change is made, whether or not the message arrives. */
function notifyOldAddress({ mailer, background }: Deps, { app, gallery }: UserCaller, address: string): void {
  if (!mailer || gallery.mode === 'test') return;
  const message = emailChangedMessage(app.name, address);
  // The mailer logs the failure, and no caller is waiting for it.
  background
    .run(MAIL_PATIENCE, signal => mailer.send(message, signal).catch(() => undefined))
    .catch(() => undefined);
}
