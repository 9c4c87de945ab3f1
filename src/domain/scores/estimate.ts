/**
 * What the templates of a gallery say of the FMR at the threshold. A gallery hides its own false matches: whose face
 * lies below the threshold of somebody enrolled is refused. What shows is the slope just above the threshold, and a lower
 * tail whose slope only steepens (log-concave, as score distributions are) continues below it by at most a geometric
 * series. That, or what lies below after all (learned templates, a threshold raised since), is the estimate. It keeps
 * nothing but counts. Held by test/domain/scores-estimate.test.ts.
 */
import { pairVariance, rateOf } from '../calibration/intervals.ts';
import { distance } from '../distance.ts';

/** Width of the two bands above the threshold. */
const BAND = 0.05;
/** A slope flatter than this says nothing of what lies below: then this is taken. */
const FLATTEST = 0.8;

export interface Estimate {
  /** Templates compared, each of another user. */
  readonly users: number;
  readonly fmr: number;
  /** Lower end of the 95 % interval, over users. */
  readonly low: number;
  /** Of different users; about 1 where the encoder centres. */
  readonly meanDistance: number;
}

/** @param templates one of each user, at least two */
export function estimateFmr(templates: readonly Float32Array[], threshold: number): Estimate {
  const users = templates.length;
  const near = new Float64Array(users);
  const counts = { below: 0, first: 0, second: 0 };
  let sum = 0;
  for (let p = 0; p < users; p++)
    for (let q = p + 1; q < users; q++) {
      const apart = distance(templates[p] as Float32Array, templates[q] as Float32Array);
      sum += apart;
      if (apart < threshold) counts.below++;
      else if (apart < threshold + BAND) counts.first++;
      else if (apart < threshold + 2 * BAND) counts.second++;
      if (apart < threshold + BAND) {
        (near[p] as number)++;
        (near[q] as number)++;
      }
    }
  const pairs = (users * (users - 1)) / 2;
  const slope = Math.min(FLATTEST, counts.first / Math.max(1, counts.second));
  const hidden = (counts.first * slope) / (1 - slope);
  const fmr = Math.min(1, Math.max(counts.below, hidden) / pairs);
  return {
    users,
    fmr,
    low: fmr * certainty(near, counts.below + counts.first, pairs),
    meanDistance: sum / pairs,
  };
}

/** The lower end of what is sure of the pairs near the threshold, as a part of them. */
function certainty(near: Float64Array, count: number, pairs: number): number {
  if (count === 0) return 0;
  const variance = pairVariance({
    errors: near,
    trials: new Float64Array(near.length).fill(near.length - 1),
    squares: { errors: count, mixed: count, trials: pairs },
  });
  const rate = rateOf(count, pairs, variance, Math.floor(near.length / 2));
  return rate ? rate.low / rate.rate : 0;
}
