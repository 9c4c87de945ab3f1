/**
 * Estimates how often distances of different people fall below the threshold, from the shape of the distances above
 * it. The near half of the distances is modelled as one half of a generalised normal distribution, exp(-(x/a)^b). b =
 * 2 is the normal distribution; a smaller b has a heavier tail. A few pairs say little about b, so it starts at 2 and
 * only data moves it (a prior with standard deviation PRIOR on its logarithm). All calculations use sums of powers,
 * so leaving out one user is a subtraction. Held by test/domain/scores-tail.test.ts against known tails.
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
