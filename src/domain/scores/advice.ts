/**
 * What an operator reads when the faces of an app lie too near to each other: figures, the app's id, and what to do.
 * Never a name, an address or a descriptor. Held by test/http/scores.test.ts.
 */
import type { Finding, Reason } from './watch.ts';

const TO_DO =
  'run "calibrate" on labelled descriptors of the encoder; if it does not centre, subtract the mean descriptor in the page and enrol anew, else lower MATCH_THRESHOLD';

export interface Advice {
  readonly fields: Readonly<Record<string, string | number>>;
  readonly message: string;
}

export function adviceOn({ gallery, estimate, enrolments }: Finding, reason: Reason): Advice {
  const app = { app: gallery.appId, mode: gallery.mode };
  if (reason === 'enrolments' || !estimate) {
    const { seen, refused } = enrolments;
    return {
      fields: { ...app, reason, enrolments: Math.round(seen), refused: Math.round(refused), todo: TO_DO },
      message:
        'most enrolments of an app are refused as faces known already: do its descriptors differ at all?',
    };
  }
  return {
    fields: {
      ...app,
      reason,
      estimatedFmr: Number(estimate.fmr.toPrecision(2)),
      users: estimate.users,
      meanDistance: Number(estimate.meanDistance.toFixed(2)),
      todo: TO_DO,
    },
    message: 'the faces of different users of an app are too near to each other for MATCH_THRESHOLD',
  };
}
