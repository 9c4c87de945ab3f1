/** What the score watch might say of an app, and what there might be of its webhooks. */
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

/** A webhook that the service has disabled at a moment; with other fields, in that state instead. */
export const webhookIn = (moment: number, ...changes: object[]) => ({
  webhooks: {
    ...{ waiting: 0, oldestAt: null },
    webhooks: (changes.length > 0 ? changes : [{ disabledAt: moment, disabledReason: 'gone' }]).map(
      (change, n) => ({
        ...{ id: `wh_${n + 1}`, gallery: { appId: 'app_1', mode: 'live' as const } },
        ...{ disabledAt: null, disabledReason: null, failingSince: null, ...change },
      }),
    ),
  },
});
