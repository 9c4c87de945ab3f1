/** What the score watch might say of an app. */
import type { SafetyState } from '../../src/domain/scores/safety.ts';
import { sizeOfApp } from '../../src/domain/scores/size.ts';
import type { Finding } from '../../src/domain/scores/watch.ts';

/** A gallery that is safe for 40 users, by an interval from 10 to 90. */
export function finding(
  appId: string,
  state: SafetyState,
  users: number | null,
  unsafe: Finding['unsafe'] = state === 'unsafe' ? ['scores'] : [],
): Finding {
  const isKnown = state !== 'unknown';
  const safety = {
    state,
    users,
    safeUsers: isKnown ? 40 : null,
    safeUsersLow: isKnown ? 10 : null,
    safeUsersHigh: isKnown ? 90 : null,
  };
  return {
    gallery: { appId, mode: 'live' },
    estimate: isKnown
      ? { users: 40, pairs: 780, fmr: 2.512e-5, low: 1e-5, high: 1e-4, meanDistance: 0.9 }
      : null,
    safety,
    enrolments: { seen: 11, refused: 10 },
    unsafe,
    size: users === null ? null : sizeOfApp(users, null, 0.35, safety),
  };
}
