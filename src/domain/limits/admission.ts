/**
 * Step 6 of the browser routes. Checks whether the app has an auth left this month, whether this address has too many
 * failed matches or enrolments, and whether the app's budgets have room. Checks that only read come first, so that a
 * request refused here uses up as little as possible.
 */
import {
  type AuthCount,
  type AuthRefused,
  type ChallengeInvalid,
  fullAt,
  type Window,
} from '../../ports/store.ts';
import {
  ENROLL_DAY_FACTOR,
  ENROLL_WINDOW,
  FAILED_MATCH_WINDOW,
  MATCHES_WINDOW,
  TEST_ENROLLS_PER_DAY,
  TEST_MATCHES_PER_DAY,
} from '../../protocol/limits.ts';
import { iso, monthOf, nextMonth, restOfDay } from '../../protocol/time.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { monthlyAuthsOf } from '../plans.ts';
import { appGone, challengeInvalid, firstRefusal, Refusal, rateLimited } from '../refusal.ts';
import { FAILED_FACES_OF_APP } from './budgets.ts';
import { addressWindows, personalKey, takeAppBudget, takeWindows } from './request-limits.ts';

/**
 * What step 6 only reads.
 * @param faces how many the request shows
 * @throws Refusal plan_limit_reached, rate_limited
 */
export function requireAdmission(deps: Deps, caller: Caller, faces: number): Promise<void> {
  const windows = failedMatchWindows(deps, caller, faces);
  return firstRefusal(requirePlan(deps, caller), requireRoom(deps, windows));
}

/** What step 6 counts, after that. @throws Refusal rate_limited */
export async function takeBudgets(
  deps: Deps,
  caller: Caller,
  what: 'enroll' | 'match',
  faces: number,
): Promise<void> {
  if (what === 'match') await takeAppBudget(deps, caller);
  else await takeEnroll(deps, caller, faces);
  if (caller.gallery.mode === 'test') await takeTestCap(deps, caller, what);
}

/** The month in which a request counts an auth, and the limit of the plan. */
export function authOf({ clock, settings }: Deps, { app, gallery }: Caller): AuthCount {
  return { month: monthOf(clock.now()), limit: monthlyAuthsOf(settings.plans, app, gallery.mode) };
}

/** The refusal for a call that reached its work but counted no auth. */
export function uncountedRefusal(
  { clock }: Deps,
  auth: AuthCount,
  uncounted: AuthRefused | ChallengeInvalid,
): Refusal {
  if (uncounted.outcome === 'challenge_invalid') return challengeInvalid();
  if (uncounted.outcome === 'app_gone') return appGone();
  const plan = { limit: auth.limit ?? 0, used: uncounted.used, resets_at: iso(nextMonth(clock.now())) };
  return new Refusal('plan_limit_reached', 'This app has used all its auths for this month.', { plan });
}

/**
 * Failed faces from this address in this app, in a quarter of an hour and on this day, and those of the app on this
 * day. Limits that are off are left out.
 * @param faces how many the request shows, for which all windows need room
 * @param failed how many of them are counted: of a match that succeeds, all but one
 */
export function failureWindows(deps: Deps, caller: Caller, faces: number, failed = faces): Window[] {
  const { appId, mode } = caller.gallery;
  const { limitFailedMatches, limitFailedFacesPerIpDay, limitFailedFacesPerAppDay: ofApp } = deps.settings;
  const day = restOfDay(deps.clock.now());
  const windows = [
    ...addressWindows(deps, caller, {
      prefix: `failed-match:${appId}:${mode}`,
      purpose: 'failed-match-address',
      limit: limitFailedMatches,
      length: FAILED_MATCH_WINDOW,
    }),
    ...addressWindows(deps, caller, {
      prefix: `failed-faces:${appId}:${mode}`,
      purpose: 'failed-faces-address',
      limit: limitFailedFacesPerIpDay,
      length: day,
    }),
    ...(ofApp === 0 ? [] : [{ key: `${FAILED_FACES_OF_APP}:${appId}:${mode}`, limit: ofApp, length: day }]),
  ];
  return windows.map(window => ({ ...window, events: failed, room: faces }));
}

/** The same for a request that costs an auth and signs in nobody, which also counts in the share of the plan. */
export function failedMatchWindows(deps: Deps, caller: Caller, faces: number): Window[] {
  return [...failureWindows(deps, caller, faces), ...shareWindows(deps, caller)];
}

/**
 * Successful matches of one user; null if the limit is off. Each one shows how near a face is, so without a limit
 * they would help to rebuild a template.
 */
export function matchWindow(
  deps: Pick<Deps, 'secrets' | 'settings'>,
  gallery: Caller['gallery'],
  userId: string,
): Window | null {
  const limit = deps.settings.limitMatchesPerUser;
  return limit === 0 ? null : { key: matchesKey(deps, gallery, userId), limit, length: MATCHES_WINDOW };
}

export function matchesKey(deps: Pick<Deps, 'secrets'>, gallery: Caller['gallery'], userId: string): string {
  return personalKey(deps, 'matches', gallery, 'matched-user', userId);
}

export function matchesRefusal(deps: Deps, endsAt: number): Refusal {
  return rateLimited(deps, 'This user has signed in too often. Try again later.', endsAt);
}

export function failuresRefusal(
  deps: Deps,
  endsAt: number,
  message = 'Too many faces were not recognised. Try again later.',
): Refusal {
  return rateLimited(deps, message, endsAt);
}

/** @throws Refusal plan_limit_reached */
export async function requirePlan(deps: Deps, caller: Caller): Promise<void> {
  const auth = authOf(deps, caller);
  if (auth.limit === null) return;
  const { auths: used } = await deps.store.usageOf(caller.gallery, auth.month);
  if (used >= auth.limit) throw uncountedRefusal(deps, auth, { outcome: 'plan_limit', used });
}

/** Before the faces are compared: a request is refused if it could exceed a limit. @throws Refusal rate_limited */
export function requireFewFailures(deps: Deps, caller: Caller, faces: number): Promise<void> {
  return requireRoom(deps, failureWindows(deps, caller, faces));
}

async function requireRoom(deps: Deps, windows: readonly Window[]): Promise<void> {
  const now = deps.clock.now();
  const states = await Promise.all(
    windows.map(window => deps.store.peekWindow(window.key, now, window.length)),
  );
  const full = windows.flatMap((window, at) => {
    const { count, endsAt } = states[at] ?? { count: 0, endsAt: now + window.length };
    return count < fullAt(window) ? [] : [{ window, endsAt }];
  });
  if (full.length === 0) return;
  const message = full.some(({ window }) => isShare(window)) ? SHARE_USED : undefined;
  throw failuresRefusal(deps, Math.max(...full.map(({ endsAt }) => endsAt)), message);
}

/**
 * Limits enrolments from one address in this app, by faces: whatever it answers, an enrolment tells whether somebody
 * has one of its faces, or the address.
 */
async function takeEnroll(deps: Deps, caller: Caller, faces: number): Promise<void> {
  const { appId, mode } = caller.gallery;
  const { limitEnrollPerIp: limit } = deps.settings;
  const of = { prefix: `enroll:${appId}:${mode}`, purpose: 'enroll-address', limit, length: ENROLL_WINDOW };
  const ofDay = {
    prefix: `enroll-day:${appId}:${mode}`,
    purpose: 'enroll-address-day',
    limit: limit * ENROLL_DAY_FACTOR,
    length: restOfDay(deps.clock.now()),
  };
  const windows = [...addressWindows(deps, caller, of), ...addressWindows(deps, caller, ofDay)];
  const message = 'Too many enrollments from this address. Try again later.';
  await takeWindows(
    deps,
    windows.map(window => ({ ...window, events: faces, appId, message })),
  );
}

async function takeTestCap(
  deps: Deps,
  { gallery: { appId } }: Caller,
  what: 'enroll' | 'match',
): Promise<void> {
  const limit = what === 'enroll' ? TEST_ENROLLS_PER_DAY : TEST_MATCHES_PER_DAY;
  const message = `The app has used its ${limit} test ${what === 'enroll' ? 'enrollments' : 'matches'} for today (UTC).`;
  const length = restOfDay(deps.clock.now());
  await takeWindows(deps, [{ appId, key: `test-${what}:${appId}`, limit, length, message }]);
}

/** Of plans with fewer auths a month, a share would be too little for a test. */
const SMALLEST_PLAN = 100;
const PREFIX = 'plan-share';

/**
 * An address's share of an app's plan for a day, so that one address cannot use up a month's plan in an hour. Counted
 * are auths that signed in nobody: failed matches, matches beyond a user's hour, and enrolls. What costs no auth does
 * not count, so that nobody shuts out their neighbours for free. Sign-ins that succeed do not count either: where all
 * users of an app share one address, such as that of a tablet at a door, a share would make the plan smaller. Each of
 * them has a name in the events, and each user has a limit of an hour. Held by test/http/plan-share.test.ts.
 * @returns none if it is off, or the plan is unlimited or small
 */
export function shareWindows(deps: Deps, caller: Caller): Window[] {
  const { clock, settings } = deps;
  const { app, gallery } = caller;
  const auths = monthlyAuthsOf(settings.plans, app, gallery.mode);
  if (auths === null || auths < SMALLEST_PLAN) return [];
  return addressWindows(deps, caller, {
    prefix: `${PREFIX}:${gallery.appId}`,
    purpose: 'plan-share',
    limit: Math.floor((auths * settings.limitPlanSharePerIp) / 100),
    length: restOfDay(clock.now()),
  });
}

const isShare = ({ key }: Window) => key.startsWith(`${PREFIX}:`);

export const SHARE_USED =
  'This network has used its share of the app’s plan for today (UTC): too many attempts from it signed in nobody.';
