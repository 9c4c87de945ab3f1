/** What is kept for how long, as rules over the store; src/jobs decides when they run. Each answers how much it did. */
import type { UserPlace } from '../ports/store.ts';
import { DAY, EVENTS_KEPT, TEST_USER_LIFETIME } from '../protocol/limits.ts';
import type { AdminDeps } from './deps.ts';
import { rotateSigningKey } from './tokens/rotation.ts';
import { currentOf } from './tokens/signing-keys.ts';

const USERS_AT_ONCE = 100;
const EVENTS_AT_ONCE = 1_000;
const YEARS_WITHOUT_SIGN_IN = 3;

export function deleteExpiredChallenges({ store, clock }: AdminDeps): Promise<number> {
  return store.deleteExpiredChallenges(clock.now());
}

/** Test users live for 30 days, and so do the events of their sign-ins. */
export function deleteOldTestUsers(deps: AdminDeps): Promise<number> {
  const moment = deps.clock.now() - TEST_USER_LIFETIME;
  return deleteBatches(deps, () => deps.store.usersEnrolledBefore('test', moment, USERS_AT_ONCE), 'deleted');
}

/** Nobody is kept for longer than three years without a sign-in. */
export function deleteIdleUsers(deps: AdminDeps): Promise<number> {
  const moment = new Date(deps.clock.now());
  moment.setUTCFullYear(moment.getUTCFullYear() - YEARS_WITHOUT_SIGN_IN);
  return deleteBatches(deps, () => deps.store.usersIdleSince(moment.getTime(), USERS_AT_ONCE), 'anonymous');
}

/** Events are kept for 400 days; what was counted of them stays. */
export async function deleteOldEvents({ store, clock }: AdminDeps): Promise<number> {
  const before = clock.now() - EVENTS_KEPT;
  let total = 0;
  for (;;) {
    const deleted = await store.deleteEvents(before, EVENTS_AT_ONCE);
    total += deleted;
    if (deleted < EVENTS_AT_ONCE) return total;
  }
}

/** Revocations of tokens that have ended by themselves, expired codes, and windows that are over. */
export function deleteOutlived({ store, clock }: AdminDeps): Promise<number> {
  return store.deleteOutlived(clock.now());
}

/** Replaces a signing key of the set age, unless its replacement is published already. */
export async function rotateOldSigningKey(deps: AdminDeps): Promise<number> {
  const now = deps.clock.now();
  const keys = await deps.store.signingKeys(now);
  const current = currentOf(keys, now);
  const isOld = current !== undefined && now - current.signsAt >= deps.settings.signingKeyDays * DAY;
  if (!isOld || keys.length > 1) return 0;
  return (await rotateSigningKey(deps, { now: false, revokeOld: false })) ? 1 : 0;
}

async function deleteBatches(
  { store, clock }: AdminDeps,
  next: () => Promise<UserPlace[]>,
  events: 'anonymous' | 'deleted',
): Promise<number> {
  let total = 0;
  for (;;) {
    const users = await next();
    if (users.length === 0) return total;
    total += await store.deleteUsers(users, clock.now(), events);
  }
}
