/**
 * Unsafe apps in `/health`: a problem for each of the first few, and a list of the galleries that the score watch has
 * measured, unsafe ones first. Both are limited in length. Held by test/health/safety.test.ts.
 */
import type { SafetyState } from '../domain/scores/safety.ts';
import { CENTRE, outgrownWarning, SAFER, saferFix } from '../domain/scores/size.ts';
import type { Finding } from '../domain/scores/watch.ts';
import type { GalleryKey } from '../ports/matcher.ts';
import type { GalleryEncoder } from '../ports/store.ts';
import type { Condition } from './condition.ts';

/** A problem, as operators see it. */
export interface Found {
  readonly since?: number | null;
  /** What is wrong. */
  readonly message: string;
  /** What to do. */
  readonly fix: string;
}

/** The most apps in one of `problems`. The others are in the list. */
export const MOST_NAMED = 3;
/** `a, b, c and 2 more`. */
export const named = (all: readonly string[]): string =>
  all.slice(0, MOST_NAMED).join(', ') +
  (all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '');

/** The most apps in the list. */
const MOST_LISTED = 100;
const ORDER: readonly SafetyState[] = ['unsafe', 'unclear', 'safe', 'unknown'];

export function unsafeApps({ scores, threshold }: Pick<Condition, 'scores' | 'threshold'>): Found[] {
  const unsafe = inOrder(scores.filter(finding => finding.unsafe.length > 0));
  const first = unsafe.slice(0, MOST_NAMED).map(finding => problemOf(finding, threshold));
  const more = unsafe.length - first.length;
  if (more === 0) return first;
  const message = `${more} more ${more === 1 ? 'app is' : 'apps are'} unsafe: see "apps" in this response.`;
  return [...first, { message, fix: SAFER }];
}

function problemOf({ gallery, safety, unsafe, enrolments, size }: Finding, threshold: number): Found {
  const app = `App ${gallery.appId} (${gallery.mode})`;
  const message = unsafe.includes('scores')
    ? `${app} has ${safety.users} users but is safe for only ${safety.safeUsers} at MATCH_THRESHOLD ${threshold}: it would let in more than 1 in 1,000 strangers.`
    : `${app} refused ${Math.round(enrolments.refused)} of ${Math.round(enrolments.seen)} enrollments as already enrolled faces, at MATCH_THRESHOLD ${threshold}: its descriptors hardly differ.`;
  const fix = unsafe.includes('scores') ? saferFix(size, threshold) : CENTRE;
  return { message, fix };
}

export function outgrownApps({ scores, threshold }: Pick<Condition, 'scores' | 'threshold'>): Found | null {
  const sized = scores.flatMap(({ gallery: { appId }, size }) => (size ? [{ appId, size }] : []));
  return outgrownWarning(sized, threshold);
}

/** Galleries whose users were counted. `left_out` is the number that is not listed. */
export function watchedApps(scores: readonly Finding[], encoders: readonly GalleryEncoder[]): object {
  const made = new Map(encoders.map(({ gallery, encoder }) => [placeOf(gallery), encoder]));
  const counted = inOrder(scores.filter(({ safety }) => safety.users !== null));
  return {
    watched: counted.slice(0, MOST_LISTED).map(({ gallery, estimate, safety }) => ({
      app_id: gallery.appId,
      mode: gallery.mode,
      encoder: made.get(placeOf(gallery)) ?? null,
      users: safety.users,
      fmr_estimate: estimate && Number(estimate.fmr.toPrecision(2)),
      safe_users: safety.safeUsers,
      safe_users_interval: estimate && [safety.safeUsersLow, safety.safeUsersHigh],
      state: safety.state,
    })),
    left_out: Math.max(0, counted.length - MOST_LISTED),
  };
}

const placeOf = ({ appId, mode }: GalleryKey) => `${appId} ${mode}`;

function inOrder(scores: readonly Finding[]): Finding[] {
  const place = ({ safety }: Finding) => ORDER.indexOf(safety.state);
  return scores.toSorted((a, b) => place(a) - place(b) || (b.safety.users ?? 0) - (a.safety.users ?? 0));
}
