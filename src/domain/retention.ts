/** What is kept for how long, as rules over the store; src/jobs decides when they run. Each answers how much it did. */
import type { DeletionTerms, UserPlace } from '../ports/store.ts';
import { DAY, ERASURES_KEPT, EVENTS_KEPT, REMOVALS_KEPT, TEST_USER_LIFETIME } from '../protocol/limits.ts';
import type { AdminDeps } from './deps.ts';
import { currentOf } from './tokens/key-status.ts';
import { rotateSigningKey } from './tokens/rotation.ts';

/** How a long run is watched, and ended. */
export interface Course {
  /** Ends it between two steps: what is left is for the next run. */
  readonly signal?: AbortSignal | undefined;
  /** Told how many things were done up to now. */
  readonly tell?: ((done: number) => void) | undefined;
}

const USERS_AT_ONCE = 100;
const ROWS_AT_ONCE = 1_000;
export const YEARS_WITHOUT_SIGN_IN = 3;

export function deleteExpiredChallenges({ store, clock }: AdminDeps, course: Course = {}): Promise<number> {
  const now = clock.now();
  return inBatches(() => store.deleteExpiredChallenges(now, ROWS_AT_ONCE), course);
}

/** Test users live for 30 days, and so do the events of their sign-ins. */
export function deleteOldTestUsers(deps: AdminDeps, course: Course = {}): Promise<number> {
  const moment = deps.clock.now() - TEST_USER_LIFETIME;
  const next = () => deps.store.usersEnrolledBefore('test', moment, USERS_AT_ONCE);
  return deleteBatches(deps, next, { events: 'deleted' }, course);
}

/**
 * Nobody is kept for longer than three years without a sign-in, nor what an interrupted import left. Afterwards the database is rebuilt, if anybody was erased
 * since the last time, so that no copy stays that the engine made by itself.
 */
export async function deleteIdleUsers(deps: AdminDeps, course: Course = {}): Promise<number> {
  const { store, clock } = deps;
  const since = yearsBefore(clock.now(), YEARS_WITHOUT_SIGN_IN);
  const next = () => store.usersIdleSince(since, USERS_AT_ONCE);
  const deleted = await deleteBatches(deps, next, { idleSince: since }, course);
  const imports = await store.dropUnfinishedImports(course.signal);
  // A database that is no file of this machine has no copies that a rebuild of ours could remove.
  await store.file?.compactAfterErasures(clock.now());
  return imports + deleted;
}

/** The same moment of an earlier year; from 29 February the last one of a February without it. */
function yearsBefore(moment: number, years: number): number {
  const date = new Date(moment);
  const month = date.getUTCMonth();
  date.setUTCFullYear(date.getUTCFullYear() - years);
  if (date.getUTCMonth() !== month) date.setUTCDate(0);
  return date.getTime();
}

/**
 * Events are kept for 400 days; what was counted of them stays. So is the knowledge who was erased, which a restored backup
 * needs; and for a day, which templates are gone, which a matcher needs that has been away.
 */
export async function deleteOldEvents({ store, clock }: AdminDeps, course: Course = {}): Promise<number> {
  const now = clock.now();
  const events = await inBatches(() => store.deleteEvents(now - EVENTS_KEPT, ROWS_AT_ONCE), course);
  const removals = await inBatches(() => store.pruneRemovals(now - REMOVALS_KEPT, ROWS_AT_ONCE), {
    ...course,
    tell: done => course.tell?.(events + done),
  });
  return events + removals + (await store.pruneErasures(now - ERASURES_KEPT));
}

/** Revocations of tokens that have ended by themselves, expired codes, and windows that are over. */
export function deleteOutlived({ store, clock }: AdminDeps, course: Course = {}): Promise<number> {
  const now = clock.now();
  return inBatches(() => store.deleteOutlived(now, ROWS_AT_ONCE), course);
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
  terms: DeletionTerms,
  { signal, tell }: Course,
): Promise<number> {
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const users = await next();
    if (users.length === 0) return total;
    total += await store.deleteUsers(users, clock.now(), terms);
    tell?.(total);
  }
}

/** @param next deletes at most ROWS_AT_ONCE, so that requests are not held up; answers how many */
async function inBatches(next: () => Promise<number>, { signal, tell }: Course): Promise<number> {
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const deleted = await next();
    total += deleted;
    tell?.(total);
    if (deleted < ROWS_AT_ONCE) return total;
  }
}
