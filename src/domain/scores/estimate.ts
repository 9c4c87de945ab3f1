/**
 * Estimates the FMR at the threshold from a gallery. The gallery hides its false matches, because a face below the
 * threshold of an enrolled user is refused. So the estimate follows the shape of the distances above the threshold
 * (tail.ts). Where more distances lie below it than the shape explains (learned templates, or a threshold raised
 * since), the count decides.
 *
 * Decision: the interval is the delete-one jackknife over users, on the logarithm, because pairs that share a user
 * are correlated: a gallery of 20 has 190 pairs but only 20 people. An upper bound from counts (3 in so many pairs)
 * would call every encoder unsafe. The slope of the few pairs just above the threshold would call every encoder safe
 * if it has no such pairs. Measured on galleries of known FMR with 50 to 300 users, the estimate is within a factor
 * of four for normal tails, for tails of groups, and for people who resemble many others. Tails that become heavier
 * far out (logistic, Student's t) look up to 100 times better than they are at an FMR of 1e-5; no sample of this size
 * can show that, only `calibrate` can. Only counts are kept. Held by test/domain/scores-estimate.long.test.ts.
 */
import { distance } from '../distance.ts';
import { addPowers, lnTail, SHAPES } from './tail.ts';

const Z = 1.959963984540054;
/** The lowest estimate is one in this many pairs for each pair compared: below that, the shape is a guess. */
const REACH = 1_000;

export interface Estimate {
  /** Templates compared, one per user. */
  readonly users: number;
  readonly pairs: number;
  readonly fmr: number;
  /** The 95 % interval, over users. The lower end may be 0. */
  readonly low: number;
  readonly high: number;
  /** Between different users; about 1 if the encoder centres. */
  readonly meanDistance: number;
}

/** @param templates one per user, at least three */
export function estimateFmr(templates: readonly Float32Array[], threshold: number): Estimate {
  const apart = (p: number, q: number) =>
    distance(templates[p] as Float32Array, templates[q] as Float32Array);
  return estimateFrom(templates.length, apart, threshold);
}

/** @param apart distance of two users, p > q */
export function estimateFrom(
  users: number,
  apart: (p: number, q: number) => number,
  threshold: number,
): Estimate {
  const pairs = (users * (users - 1)) / 2;
  const distances = new Float64Array(pairs);
  let [sum, at] = [0, 0];
  for (let p = 1; p < users; p++)
    for (let q = 0; q < p; q++) {
      const one = apart(p, q);
      distances[at++] = one;
      sum += one;
    }
  const meanDistance = sum / pairs;
  const counted = countBelow(distances, users, threshold);
  const shaped = meanDistance > threshold ? byShape(distances, users, meanDistance, threshold) : counted;
  const floor = 1 / (REACH * pairs);
  return {
    users,
    pairs,
    fmr: Math.min(1, Math.max(shaped.rate, counted.rate, floor)),
    low: Math.min(1, Math.max(shaped.low, counted.low)),
    high: Math.min(1, Math.max(shaped.high, counted.high, floor)),
    meanDistance,
  };
}

interface Part {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

function byShape(distances: Float64Array, users: number, mean: number, threshold: number): Part {
  const all = new Float64Array(SHAPES);
  const own = Array.from({ length: users }, () => new Float64Array(SHAPES));
  const near = new Float64Array(users);
  let [count, at] = [0, 0];
  for (let p = 1; p < users; p++)
    for (let q = 0; q < p; q++) {
      const x = (mean - (distances[at++] as number)) / (mean - threshold);
      if (x <= 0) continue;
      addPowers(x, all, own[p] as Float64Array, own[q] as Float64Array);
      count++;
      (near[p] as number)++;
      (near[q] as number)++;
    }
  const lnRate = (sums: Float64Array, left: number, pairs: number) =>
    left === 0 ? Number.NEGATIVE_INFINITY : Math.log(left / pairs) + lnTail(sums, left);
  const ln = lnRate(all, count, distances.length);
  const without = own.map((sums, p) =>
    lnRate(
      all.map((sum, i) => sum - (sums[i] as number)),
      count - (near[p] as number),
      distances.length - users + 1,
    ),
  );
  const reach = Z * jackknifeDeviation(without);
  return Number.isFinite(reach)
    ? { rate: Math.exp(ln), low: Math.exp(ln - reach), high: Math.exp(ln + reach) }
    : { rate: Number.isFinite(ln) ? Math.exp(ln) : 0, low: 0, high: 1 };
}

function countBelow(distances: Float64Array, users: number, threshold: number): Part {
  const own = new Float64Array(users);
  let [count, at] = [0, 0];
  for (let p = 1; p < users; p++)
    for (let q = 0; q < p; q++) {
      if ((distances[at++] as number) >= threshold) continue;
      count++;
      (own[p] as number)++;
      (own[q] as number)++;
    }
  const rate = count / distances.length;
  const reach = Z * jackknifeDeviation(Array.from(own, of => (count - of) / (distances.length - users + 1)));
  return { rate, low: Math.max(0, rate - reach), high: rate + reach };
}

/** Standard deviation of a figure, from its values with each user left out. */
function jackknifeDeviation(without: readonly number[]): number {
  const users = without.length;
  const mean = without.reduce((sum, one) => sum + one, 0) / users;
  const squares = without.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return Math.sqrt((squares * (users - 1)) / users);
}
