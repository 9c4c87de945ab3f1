/**
 * Is an app too large for its encoder? The estimated FMR of a gallery becomes the number of users up to which a stranger is
 * let in at most once in 1,000 sign-ins (FPIR), by the arithmetic of `calibrate`, and is compared with the users there are.
 *
 * Decision: `unsafe` takes the lower end of the interval, so that only a gallery that surely has too many users is called so;
 * `safe` goes by the estimate itself; what lies between is `unclear`: too little was seen to say. Never is a gallery
 * called safe for more users than pairs were compared. Held by test/domain/scores-safety.test.ts.
 */
import { extrapolatedUsers, SAFE_FPIR } from '../../calibration/thresholds.ts';
import type { Estimate } from './estimate.ts';

/** - `unknown`: fewer than 20 users, or not looked at yet. - `unclear`: not enough seen to say. */
export type SafetyState = 'unknown' | 'safe' | 'unclear' | 'unsafe';

export interface Safety {
  readonly state: SafetyState;
  /** Null: not counted yet. */
  readonly users: number | null;
  /** Users up to which the threshold is safe: by the estimate, and by both ends of its interval. Null: no estimate. */
  readonly safeUsers: number | null;
  readonly safeUsersLow: number | null;
  readonly safeUsersHigh: number | null;
}

export function safetyOf(users: number | null, estimate: Estimate | null): Safety {
  if (users === null || estimate === null)
    return { state: 'unknown', users, safeUsers: null, safeUsersLow: null, safeUsersHigh: null };
  const most = (fmr: number) =>
    Math.min(estimate.pairs, extrapolatedUsers(fmr, SAFE_FPIR) ?? Number.POSITIVE_INFINITY);
  const [safeUsers, safeUsersLow, safeUsersHigh] = [
    most(estimate.fmr),
    most(estimate.high),
    most(estimate.low),
  ];
  const isSurelyTooLarge = users > (extrapolatedUsers(estimate.low, SAFE_FPIR) ?? Number.POSITIVE_INFINITY);
  const state = isSurelyTooLarge ? 'unsafe' : users > safeUsers ? 'unclear' : 'safe';
  return { state, users, safeUsers, safeUsersLow, safeUsersHigh };
}
