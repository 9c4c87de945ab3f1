/**
 * Estimates the FMR at the threshold from a gallery. The gallery hides its false matches, because a face below the
 * threshold of an enrolled user is refused. So the estimate follows the shape of the distances above the threshold
 * (below). Where more distances lie below it than the shape explains (learned templates, or a threshold raised
 * since), the count decides.
 *
 * Decision: the interval is the delete-one jackknife over users, on the logarithm, because pairs that share a user
 * are correlated: a gallery of 20 has 190 pairs but only 20 people. An upper bound from counts (3 in so many pairs)
 * would call every encoder unsafe. The slope of the few pairs just above the threshold would call every encoder safe
 * if it has no such pairs. Measured on galleries of known FMR with 50 to 300 users, the estimate is within a factor
 * of four for normal tails, for tails of groups, and for people who resemble many others. Tails that become heavier
 * far out (logistic, Student's t) look up to 100 times better than they are at an FMR of 1e-5; no sample of this size
 * can show that, only `calibrate` can. Only counts are kept. Held by test/domain/scores-estimate.long.test.ts, and
 * test/domain/scores-safety.test.ts against known tails.
 */
import { distance } from '../distance.ts';

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

/*
 * The tail: how often distances of different people fall below the threshold, from the shape of the distances above it.
 * The near half of the distances is modelled as one half of a generalised normal distribution, exp(-(x/a)^b). b = 2 is
 * the normal distribution; a smaller b has a heavier tail. A few pairs say little about b, so it starts at 2 and only
 * data moves it (a prior with standard deviation PRIOR on its logarithm). All calculations use sums of powers, so
 * leaving out one user is a subtraction.
 */

/**
 * Standard deviation of ln(b / 2). Values from 0.1 to 1 were tried: with a larger one 20 users show nothing, with a
 * smaller one heavy tails of 300 users are missed.
 */
const PRIOR = 0.15;
/** The shapes compared, evenly spaced: each power is the previous one times a constant. */
const FIRST = 0.8;
const STEP = 0.1;
export const SHAPES = 33;
/** Shapes with less weight than this are ignored. */
const NO_WEIGHT = 1e-12;

/**
 * Adds x^b for every shape b to three lists of sums.
 * @param x distance below the mean, in units of (mean - threshold)
 */
export function addPowers(x: number, one: Float64Array, two: Float64Array, three: Float64Array): void {
  let power = x ** FIRST;
  const factor = x ** STEP;
  for (let i = 0; i < SHAPES; i++) {
    (one[i] as number) += power;
    (two[i] as number) += power;
    (three[i] as number) += power;
    power *= factor;
  }
}

/**
 * The logarithm of the share of the near half that lies beyond the threshold. @param count number of distances in the
 * sums
 */
export function lnTail(sums: Float64Array, count: number): number {
  let most = Number.NEGATIVE_INFINITY;
  const found = KNOWN.map(({ shape, whole, spread, doubt }, i) => {
    const scale = ((shape * (sums[i] as number)) / count) ** (1 / shape);
    const likelihood = -count * (Math.log(scale) + spread) - doubt;
    most = Math.max(most, likelihood);
    return { shape, whole, scale, likelihood };
  });
  let [weights, sum] = [0, 0];
  for (const { shape, whole, scale, likelihood } of found) {
    const weight = Math.exp(likelihood - most);
    if (weight < NO_WEIGHT) continue;
    weights += weight;
    sum += weight * (lnBeyond(shape, 1 / scale) - whole);
  }
  return sum / weights;
}

/** Where the double exponential rule looks at what falls like exp(-s), and how much each place counts. */
const PLACES = Array.from({ length: 77 }, (_, i) => {
  const t = i / 10 - 3;
  const s = Math.exp(t - Math.exp(-t));
  return [s, (s * (1 + Math.exp(-t))) / 10] as const;
});

/** The logarithm of the integral of exp(-u^shape) from x on, to 1e-7. It stays exact where that is almost 0. */
export function lnBeyond(shape: number, x: number): number {
  const top = x ** shape;
  /** About how far there is anything to add. */
  const reach = shape < 1 ? 1 : Math.min(1, x ** (1 - shape) / shape);
  let sum = 0;
  for (const [s, weight] of PLACES) sum += weight * Math.exp(top - (x + reach * s) ** shape);
  return Math.log(reach * sum) - top;
}

/** The part of each shape's likelihood that does not depend on its scale. */
const KNOWN = Array.from({ length: SHAPES }, (_, i) => {
  const shape = FIRST + i * STEP;
  const doubt = (Math.log(shape / 2) / PRIOR) ** 2 / 2;
  const whole = lnBeyond(shape, 0);
  return { shape, whole, spread: whole + 1 / shape, doubt };
});
