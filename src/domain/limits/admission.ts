/**
 * Step 6 of the browser routes: has the app an auth left this month, has this address failed too often, and, for
 * enrolls, has it asked too often? Is there room in the app's budgets? Reading comes first, so that a request that is
 * refused here takes nothing but what it reached.
 */

import {
  type AuthCount,
  type AuthRefused,
  type ChallengeInvalid,
  type Lockout,
  longerKey,
  type Window,
} from '../../ports/store.ts';
import {
  DAY,
  ENROLL_WINDOW,
  FAILED_MATCH_WINDOW,
  LOCKOUT_FAILURES,
  LOCKOUT_WINDOW,
  MATCHES_WINDOW,
  TEST_ENROLLS_PER_DAY,
  TEST_MATCHES_PER_DAY,
} from '../../protocol/limits.ts';
import type { Caller, UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { planOf } from '../plans.ts';
import { appGone, challengeInvalid, Refusal } from '../refusal.ts';
import { iso, monthOf, nextMonth, restOfDay } from '../time.ts';
import { addressWindows } from './address-windows.ts';

export type Admitted = 'challenge' | 'enroll' | 'match';

/** @throws Refusal plan_limit_reached, rate_limited */
export async function admit(deps: Deps, caller: Caller, what: Admitted): Promise<void> {
  await requirePlan(deps, caller);
  if (what === 'challenge') return;
  await requireFewFailures(deps, caller);
  if (what === 'match') takeAppBudget(deps, caller);
  else await takeEnroll(deps, caller);
  if (caller.gallery.mode === 'test') await takeTestCap(deps, caller, what);
}

/** One budget a minute over the matches and the code requests of an app. @throws Refusal rate_limited */
export function takeAppBudget({ windows, settings }: Deps, { gallery }: Caller): void {
  windows.take(
    `app:${gallery.appId}:${gallery.mode}`,
    settings.limitAppPerMinute,
    'Too many requests for this app. Try again later.',
  );
}

/** The auth that a request would count now, and how many its plan allows. */
export function authOf({ clock, settings }: Deps, { app, gallery }: Caller): AuthCount {
  const limit = gallery.mode === 'live' ? planOf(settings.plans, app.plan).monthlyAuths : null;
  return { month: monthOf(clock.now()), limit };
}

/** Why a call that came as far as its work counted no auth. */
export function uncountedRefusal(
  { clock }: Deps,
  auth: AuthCount,
  uncounted: AuthRefused | ChallengeInvalid,
): Refusal {
  if (uncounted.outcome === 'challenge_invalid') return challengeInvalid();
  if (uncounted.outcome === 'app_gone') return appGone();
  const plan = { limit: auth.limit ?? 0, used: uncounted.used, resets_at: iso(nextMonth(clock.now())) };
  return new Refusal('plan_limit_reached', 'The monthly auths of this app are used up.', { plan });
}

/** Failed matches of this address in this app; none when the limit is switched off. */
export function failureWindows(deps: Deps, caller: Caller): Window[] {
  const { appId, mode } = caller.gallery;
  return addressWindows(deps, caller, {
    prefix: `failed-match:${appId}:${mode}`,
    purpose: 'failed-match-address',
    limit: deps.settings.limitFailedMatches,
    length: FAILED_MATCH_WINDOW,
  });
}

/**
 * Failures that count against one user, over face matches and codes. Keyed by the address, so that an unknown one
 * is counted alike and its count passes to the user who enrolls with it. The failures of a day are counted beside those of
 * a quarter of an hour: five in each of these would be 480 guesses a day.
 */
export function lockoutOf(
  deps: Pick<Deps, 'secrets' | 'settings'>,
  gallery: Caller['gallery'],
  email: string,
): Lockout {
  const limit = deps.settings.limitUserFailuresDay;
  return {
    key: lockoutKey(deps, gallery, email),
    limit: LOCKOUT_FAILURES,
    length: LOCKOUT_WINDOW,
    longer: limit === 0 ? undefined : { limit, length: DAY },
  };
}

export function lockoutKey(
  { secrets }: Pick<Deps, 'secrets'>,
  { appId, mode }: Caller['gallery'],
  email: string,
): string {
  return `lockout:${appId}:${mode}:${secrets.hash('lockout-email', email.toLowerCase())}`;
}

/**
 * Successful matches of one user; null when the limit is switched off. Every one says how near a face is, so there must not
 * be enough of them to rebuild a template.
 */
export function matchWindow(
  deps: Pick<Deps, 'secrets' | 'settings'>,
  gallery: Caller['gallery'],
  userId: string,
): Window | null {
  const limit = deps.settings.limitMatchesPerUser;
  return limit === 0 ? null : { key: matchesKey(deps, gallery, userId), limit, length: MATCHES_WINDOW };
}

export function matchesKey(
  { secrets }: Pick<Deps, 'secrets'>,
  { appId, mode }: Caller['gallery'],
  userId: string,
): string {
  return `matches:${appId}:${mode}:${secrets.hash('matched-user', userId)}`;
}

export function matchesRefusal({ clock }: Deps, endsAt: number): Refusal {
  return new Refusal('rate_limited', 'This user has signed in too often. Try again later.', {
    retryAfter: endsAt - clock.now(),
  });
}

/** The user is locked out of codes; an address that nobody has is, alike. */
export function lockedRefusal({ clock }: Deps, endsAt: number): Refusal {
  return new Refusal('rate_limited', 'Too many failed attempts for this email address. Try again later.', {
    retryAfter: endsAt - clock.now(),
  });
}

export function failuresRefusal({ clock }: Deps, endsAt: number): Refusal {
  return new Refusal('rate_limited', 'Too many failed matches from this address. Try again later.', {
    retryAfter: endsAt - clock.now(),
  });
}

/** @throws Refusal plan_limit_reached */
export async function requirePlan(deps: Deps, caller: Caller): Promise<void> {
  const auth = authOf(deps, caller);
  if (auth.limit === null) return;
  const { auths: used } = await deps.store.usageOf(caller.gallery, auth.month);
  if (used >= auth.limit) throw uncountedRefusal(deps, auth, { outcome: 'plan_limit', used });
}

/** @throws Refusal rate_limited */
export async function requireFewFailures(deps: Deps, caller: Caller): Promise<void> {
  const ends: number[] = [];
  for (const window of failureWindows(deps, caller)) {
    const state = await deps.store.peekWindow(window.key, deps.clock.now());
    if (state && state.count >= window.limit) ends.push(state.endsAt);
  }
  if (ends.length > 0) throw failuresRefusal(deps, Math.max(...ends));
}

/**
 * Has this user failed too often today, from whatever addresses? The failures of a quarter of an hour lock out of codes
 * only: the user's own face is a good answer meanwhile.
 * @throws Refusal rate_limited
 */
export async function requireFewUserFailures(deps: Deps, { gallery, user }: UserCaller): Promise<void> {
  const { key, longer } = lockoutOf(deps, gallery, user.email);
  const state = longer && (await deps.store.peekWindow(longerKey(key), deps.clock.now()));
  if (state && state.count >= longer.limit) throw lockedRefusal(deps, state.endsAt);
}

/** Enrolls of this address in this app: one of five unlike faces asks for five people, or for an address, whatever it answers. */
async function takeEnroll(deps: Deps, caller: Caller): Promise<void> {
  const { appId, mode } = caller.gallery;
  const windows = addressWindows(deps, caller, {
    prefix: `enroll:${appId}:${mode}`,
    purpose: 'enroll-address',
    limit: deps.settings.limitEnrollPerIp,
    length: ENROLL_WINDOW,
  });
  if (windows.length === 0) return;
  const now = deps.clock.now();
  const counted = await deps.store.takeWindows(
    windows.map(window => ({ ...window, appId })),
    now,
  );
  if (counted.taken) return;
  throw new Refusal('rate_limited', 'Too many enrollments from this address. Try again later.', {
    retryAfter: counted.endsAt - now,
  });
}

async function takeTestCap(
  { clock, store }: Deps,
  { gallery }: Caller,
  what: 'enroll' | 'match',
): Promise<void> {
  const now = clock.now();
  const limit = what === 'enroll' ? TEST_ENROLLS_PER_DAY : TEST_MATCHES_PER_DAY;
  const window = { key: `test-${what}:${gallery.appId}`, limit, length: restOfDay(now) };
  const { taken, endsAt } = await store.takeWindow(gallery.appId, window, now);
  if (!taken) {
    const message = `The app has used its ${limit} test ${what === 'enroll' ? 'enrollments' : 'matches'} of today (UTC).`;
    throw new Refusal('rate_limited', message, { retryAfter: endsAt - now });
  }
}
