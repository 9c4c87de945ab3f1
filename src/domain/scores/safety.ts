/**
 * Checks whether an app is too large for its encoder. The estimated FMR gives the number of users up to which
 * strangers get in at most once in 1,000 sign-ins (FPIR), with the arithmetic of `calibrate`. That number is compared
 * with the users of the app.
 *
 * Decision: `unsafe` uses the lower end of the interval, so only galleries that certainly have too many users get it.
 * `safe` uses the estimate itself. In between is `unclear`: there is too little data. A gallery is never called safe
 * for more users than pairs were compared. Held by test/domain/scores-safety.test.ts.
 */
import { extrapolatedUsers, SAFE_FPIR } from '../../calibration/thresholds.ts';
import type { Estimate } from './estimate.ts';

/**
 * - `unknown`: fewer than 20 users, or not checked yet.
 * - `unclear`: too little data.
 */
export type SafetyState = 'unknown' | 'safe' | 'unclear' | 'unsafe';

export interface Safety {
  readonly state: SafetyState;
  /** Null: not counted yet. */
  readonly users: number | null;
  /**
   * The number of users up to which the threshold is safe: by the estimate, and by both ends of its interval. Null:
   * no estimate.
   */
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
