/**
 * How long data is kept, as rules over the store. src/jobs decides when they run. Each returns how much it changed.
 */
import type { DeletionTerms, UserPlace } from '../ports/store.ts';
import {
  AUDIT_KEPT,
  DAY,
  ERASURES_KEPT,
  EVENTS_KEPT,
  MINUTE,
  OUTBOX_KEPT,
  REMOVALS_KEPT,
  TEST_USER_LIFETIME,
} from '../protocol/limits.ts';
import type { AdminDeps } from './deps.ts';
import { rotateSigningKey } from './tokens/rotation.ts';
import { currentOf } from './tokens/signing-keys.ts';
import { disableAllFailing } from './webhooks/disabling.ts';

/** Progress and cancellation of a long run. */
export interface RunOptions {
  /** Stops the run between two steps. The next run does the rest. */
  readonly signal?: AbortSignal | undefined;
  /** Called with how much is done so far. */
  readonly onProgress?: ((done: number) => void) | undefined;
}

const USERS_AT_ONCE = 100;
const ROWS_AT_ONCE = 1_000;
/** Far more than clocks of nodes may differ: the portal's health reports a quarter of a second. */
const CLOCKS_DIFFER = 5 * MINUTE;
export const YEARS_WITHOUT_SIGN_IN = 3;

export function deleteExpiredChallenges(
  { store, clock }: AdminDeps,
  options: RunOptions = {},
): Promise<number> {
  const now = clock.now();
  return inBatches(() => store.prune('challenges', now, ROWS_AT_ONCE), options);
}

/** Deletes test users after 30 days, with the events of their sign-ins. */
export function deleteOldTestUsers(deps: AdminDeps, options: RunOptions = {}): Promise<number> {
  const moment = deps.clock.now() - TEST_USER_LIFETIME;
  const next = () => deps.store.agedUsers({ enrolled: 'test' }, moment, USERS_AT_ONCE);
  return deleteBatches(deps, next, { events: 'deleted', reason: 'test_expired' }, options);
}

/**
 * Deletes users who have not signed in for three years, and what interrupted imports left. Then, if anything was
 * erased since the last rebuild, the database is rebuilt, so that no copies remain in its file.
 */
export async function deleteIdleUsers(deps: AdminDeps, options: RunOptions = {}): Promise<number> {
  const { store, clock } = deps;
  const since = yearsBefore(clock.now(), YEARS_WITHOUT_SIGN_IN);
  const next = () => store.agedUsers('idle', since, USERS_AT_ONCE);
  const deleted = await deleteBatches(deps, next, { idleSince: since, reason: 'retention' }, options);
  const imports = await store.dropUnfinishedImports(options.signal);
  // Without a file on this machine there is nothing to rebuild.
  await store.file?.compactAfterErasures(clock.now());
  return imports + deleted;
}

/** The same moment in an earlier year. 29 February becomes 28 February where the year has no 29th. */
function yearsBefore(moment: number, years: number): number {
  const date = new Date(moment);
  const month = date.getUTCMonth();
  date.setUTCFullYear(date.getUTCFullYear() - years);
  if (date.getUTCMonth() !== month) date.setUTCDate(0);
  return date.getTime();
}

/**
 * Deletes events after 400 days; their counts stay. So does the list of erasures, which restoring a backup needs, for
 * as long. The list of removed templates is kept for a day, for matchers that are behind.
 */
export async function deleteOldEvents(
  { store, clock }: AdminDeps,
  options: RunOptions = {},
): Promise<number> {
  const now = clock.now();
  const events = await inBatches(() => store.prune('events', now - EVENTS_KEPT, ROWS_AT_ONCE), options);
  const removals = await inBatches(() => store.prune('removals', now - REMOVALS_KEPT, ROWS_AT_ONCE), {
    ...options,
    onProgress: done => options.onProgress?.(events + done),
  });
  return events + removals + (await store.prune('erasures', now - ERASURES_KEPT, ROWS_AT_ONCE));
}

/** Deletes what apps' servers could read for 7 days, and what came of their webhooks. */
export async function deleteOldOutbox(deps: AdminDeps, options: RunOptions = {}): Promise<number> {
  const { store, clock } = deps;
  const disabled = await disableAllFailing(deps);
  const moment = clock.now() - OUTBOX_KEPT;
  const events = await inBatches(() => store.prune('outbox', moment, ROWS_AT_ONCE), options);
  return (
    disabled + events + (await inBatches(() => store.prune('deliveries', moment, ROWS_AT_ONCE), options))
  );
}

/**
 * Deletes revocations of expired tokens, expired codes, windows that have ended, and what has ended of operators'
 * sessions and links.
 */
export async function deleteExpiredRows(
  { store, clock }: AdminDeps,
  options: RunOptions = {},
): Promise<number> {
  const now = clock.now();
  // The clocks of other nodes may be behind this one: there a revocation or a window still counts.
  const ended = now - CLOCKS_DIFFER;
  const expired = await inBatches(() => store.prune('expired', ended, ROWS_AT_ONCE), options);
  return expired + (await inBatches(() => store.prune('operators', now, ROWS_AT_ONCE), options));
}

/** Deletes entries of the audit log after 400 days. */
export function deleteOldAuditEntries(
  { store, clock }: AdminDeps,
  options: RunOptions = {},
): Promise<number> {
  const moment = clock.now() - AUDIT_KEPT;
  return inBatches(() => store.prune('audit', moment, ROWS_AT_ONCE), options);
}

/** Replaces a signing key that has reached the set age, unless its replacement is already published. */
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
  { signal, onProgress }: RunOptions,
): Promise<number> {
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const users = await next();
    if (users.length === 0) return total;
    total += await store.deleteUsers(users, clock.now(), terms);
    onProgress?.(total);
  }
}

/** @param next deletes at most ROWS_AT_ONCE, so that requests are not held up, and returns how many */
async function inBatches(next: () => Promise<number>, { signal, onProgress }: RunOptions): Promise<number> {
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const deleted = await next();
    total += deleted;
    onProgress?.(total);
    if (deleted < ROWS_AT_ONCE) return total;
  }
}
