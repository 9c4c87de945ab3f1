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
  type KnownNetwork,
  type Lockout,
  type Window,
} from '../../ports/store.ts';
import {
  DAY,
  ENROLL_DAY_FACTOR,
  ENROLL_WINDOW,
  FAILED_MATCH_WINDOW,
  LOCKOUT_FAILURES,
  LOCKOUT_WINDOW,
  MATCHES_WINDOW,
  NETWORK_KNOWN,
  TEST_ENROLLS_PER_DAY,
  TEST_MATCHES_PER_DAY,
} from '../../protocol/limits.ts';
import type { Caller, Client, UserCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { planOf } from '../plans.ts';
import { appGone, challengeInvalid, Refusal } from '../refusal.ts';
import { iso, monthOf, nextMonth, restOfDay } from '../time.ts';
import { addressWindows } from './address-windows.ts';
import { FAILED_FACES_OF_APP } from './budgets.ts';
import { takeAppBudget } from './request-limits.ts';

export type Admitted = 'challenge' | 'enroll' | 'match';

/**
 * @param faces how many the request shows
 * @throws Refusal plan_limit_reached, rate_limited
 */
export async function admit(deps: Deps, caller: Caller, what: Admitted, faces = 0): Promise<void> {
  await requirePlan(deps, caller);
  if (what === 'challenge') return;
  await requireFewFailures(deps, caller, faces);
  if (what === 'match') await takeAppBudget(deps, caller);
  else await takeEnroll(deps, caller, faces);
  if (caller.gallery.mode === 'test') await takeTestCap(deps, caller, what);
}

/** The month in which a request counts an auth, and the limit of the plan. */
export function authOf({ clock, settings }: Deps, { app, gallery }: Caller): AuthCount {
  const limit = gallery.mode === 'live' ? planOf(settings.plans, app.plan).monthlyAuths : null;
  return { month: monthOf(clock.now()), limit };
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

/**
 * Failures of one user, from face matches and codes: of all networks in a quarter of an hour, and of the caller's
 * network in 24 hours, because five per quarter alone would allow 480 guesses a day. What one network does in a day
 * shuts out that network, not the user. Failures are counted by email address, so unknown addresses count the same way,
 * and a count passes to the user who enrolls with the address.
 */
export function lockoutOf(
  deps: Pick<Deps, 'secrets' | 'settings'>,
  { gallery, ...client }: Pick<Caller, 'gallery' | 'network' | 'site'>,
  email: string,
): Lockout {
  const key = lockoutKey(deps, gallery, email);
  const limit = deps.settings.limitUserFailuresDay;
  const ofNetwork = () => `${key}:${deps.secrets.hash('lockout-network', networkOf(client))}`;
  return {
    key,
    limit: LOCKOUT_FAILURES,
    length: LOCKOUT_WINDOW,
    longer: limit === 0 ? undefined : { key: ofNetwork(), limit, length: DAY },
  };
}

/** The /24 of an IPv4 address, the /48 of an IPv6 address. */
function networkOf({ network, site }: Pick<Client, 'network' | 'site'>): string {
  return site ?? network.replace(/\.\d+$/, '.0/24');
}

/**
 * Remembers from where a user signs in: from there, strangers cannot use up the failures of a day. Undefined if that
 * limit is off.
 */
export function knownNetworkOf(deps: Pick<Deps, 'secrets' | 'settings' | 'clock'>, caller: Caller) {
  if (deps.settings.limitUserFailuresDay === 0) return undefined;
  const { appId, mode } = caller.gallery;
  return (userId: string): KnownNetwork => ({
    network: deps.secrets.hash('known-network', [appId, mode, userId, networkOf(caller)].join('\0')),
    endsAt: deps.clock.now() + NETWORK_KNOWN,
  });
}

/** Wrong codes from a known network, beyond the limit of the day. */
export function fromKnownWindow({ longer, limit, length }: Lockout): Window | null {
  return longer ? { key: `${longer.key}:known`, limit, length } : null;
}

/** Faces that a user has tried to add, and that were refused. Only the user can fill this. */
export function refusedAddsWindow(
  deps: Pick<Deps, 'secrets' | 'settings'>,
  gallery: Caller['gallery'],
  userId: string,
): Window | null {
  const limit = deps.settings.limitUserFailuresDay;
  return limit === 0 ? null : { key: refusedAddsKey(deps, gallery, userId), limit, length: DAY };
}

export function refusedAddsKey(
  { secrets }: Pick<Deps, 'secrets'>,
  { appId, mode }: Caller['gallery'],
  userId: string,
): string {
  return `refused-adds:${appId}:${mode}:${secrets.hash('refused-adds', userId)}`;
}

export function lockoutKey(
  { secrets }: Pick<Deps, 'secrets'>,
  { appId, mode }: Caller['gallery'],
  email: string,
): string {
  return `lockout:${appId}:${mode}:${secrets.hash('lockout-email', email.toLowerCase())}`;
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

/** The user is locked out of codes. Unregistered addresses get the same answer. */
export function lockedRefusal({ clock }: Deps, endsAt: number): Refusal {
  return new Refusal('rate_limited', 'Too many failed attempts for this email address. Try again later.', {
    retryAfter: endsAt - clock.now(),
  });
}

export function addsRefusal({ clock }: Deps, endsAt: number): Refusal {
  return new Refusal('rate_limited', 'Too many pictures of this user were refused. Try again later.', {
    retryAfter: endsAt - clock.now(),
  });
}

export function failuresRefusal({ clock }: Deps, endsAt: number): Refusal {
  return new Refusal('rate_limited', 'Too many faces were not recognised. Try again later.', {
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

/** Before the faces are compared: a request is refused if it could exceed a limit. @throws Refusal rate_limited */
export async function requireFewFailures(deps: Deps, caller: Caller, faces: number): Promise<void> {
  const ends: number[] = [];
  for (const window of failureWindows(deps, caller, faces)) {
    const now = deps.clock.now();
    const { count, endsAt } = (await deps.store.peekWindow(window.key, now, window.length)) ?? {
      count: 0,
      endsAt: now + window.length,
    };
    if (count >= fullAt(window)) ends.push(endsAt);
  }
  if (ends.length > 0) throw failuresRefusal(deps, Math.max(...ends));
}

/** Checks the faces of this user that were refused, from all client addresses. @throws Refusal rate_limited */
export async function requireFewRefusedAdds(deps: Deps, { gallery, user }: UserCaller): Promise<void> {
  const window = refusedAddsWindow(deps, gallery, user.id);
  const state = window && (await deps.store.peekWindow(window.key, deps.clock.now(), window.length));
  if (state && state.count >= window.limit) throw addsRefusal(deps, state.endsAt);
}

/**
 * Limits enrolments from one address in this app, by faces: whatever it answers, an enrolment tells whether somebody
 * has one of its faces, or the address.
 */
async function takeEnroll(deps: Deps, caller: Caller, faces: number): Promise<void> {
  const { appId, mode } = caller.gallery;
  const { limitEnrollPerIp: limit } = deps.settings;
  const now = deps.clock.now();
  const of = { prefix: `enroll:${appId}:${mode}`, purpose: 'enroll-address', limit, length: ENROLL_WINDOW };
  const ofDay = {
    prefix: `enroll-day:${appId}:${mode}`,
    purpose: 'enroll-address-day',
    limit: limit * ENROLL_DAY_FACTOR,
    length: restOfDay(now),
  };
  const windows = [...addressWindows(deps, caller, of), ...addressWindows(deps, caller, ofDay)];
  if (windows.length === 0) return;
  const counted = await deps.store.takeWindows(
    windows.map(window => ({ ...window, events: faces, appId })),
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
    const message = `The app has used its ${limit} test ${what === 'enroll' ? 'enrollments' : 'matches'} for today (UTC).`;
    throw new Refusal('rate_limited', message, { retryAfter: endsAt - now });
  }
}
