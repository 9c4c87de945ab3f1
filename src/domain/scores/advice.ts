/**
 * Log messages for the operator when an app becomes unsafe: figures, the app's id, and what to do. Never a name, an
 * address or a descriptor. Held by test/http/scores.test.ts.
 */
import { CENTRE, outgrownFix, saferFix } from './size.ts';
import type { Finding, Reason } from './watch.ts';

export interface Advice {
  readonly fields: Readonly<Record<string, string | number>>;
  readonly message: string;
}

export function adviceOn(finding: Finding, reason: Reason, threshold: number): Advice {
  const { gallery, estimate, safety, enrolments, size } = finding;
  const app = { app: gallery.appId, mode: gallery.mode };
  if (reason === 'size' && size)
    return {
      fields: {
        ...app,
        reason,
        users: size.users,
        carries: size.carries ?? 0,
        threshold,
        todo: outgrownFix(size, threshold),
      },
      message: 'an app has more users than MATCH_THRESHOLD is for',
    };
  if (reason === 'enrolments' || !estimate) {
    const { seen, refused } = enrolments;
    return {
      fields: { ...app, reason, enrolments: Math.round(seen), refused: Math.round(refused), todo: CENTRE },
      message: 'most enrolments of an app are refused as known faces: do its descriptors differ at all?',
    };
  }
  return {
    fields: {
      ...app,
      reason,
      users: safety.users ?? 0,
      safeUsers: safety.safeUsers ?? 0,
      threshold,
      estimatedFmr: Number(estimate.fmr.toPrecision(2)),
      meanDistance: Number(estimate.meanDistance.toFixed(2)),
      todo: saferFix(size, threshold),
    },
    message:
      'an app has more users than MATCH_THRESHOLD is safe for: more than 1 in 1,000 strangers would be let in',
  };
}
