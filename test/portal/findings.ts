/** What the score watch might say of an app. */
import type { SafetyState } from '../../src/domain/scores/safety.ts';
import type { Finding, Reason } from '../../src/domain/scores/watch.ts';

/** A gallery that is safe for 40 users, by an interval from 10 to 90. */
export function finding(
  appId: string,
  state: SafetyState,
  users: number | null,
  unsafe: readonly Reason[] = state === 'unsafe' ? ['scores'] : [],
): Finding {
  const isKnown = state !== 'unknown';
  return {
    gallery: { appId, mode: 'live' },
    estimate: isKnown
      ? { users: 40, pairs: 780, fmr: 2.512e-5, low: 1e-5, high: 1e-4, meanDistance: 0.9 }
      : null,
    safety: {
      state,
      users,
      safeUsers: isKnown ? 40 : null,
      safeUsersLow: isKnown ? 10 : null,
      safeUsersHigh: isKnown ? 90 : null,
    },
    enrolments: { seen: 11, refused: 10 },
    unsafe,
  };
}
