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
  const found = KNOWN.map(({ shape, spread, doubt }, i) => {
    const scale = ((shape * (sums[i] as number)) / count) ** (1 / shape);
    const likelihood = -count * (Math.log(scale) + spread) - doubt;
    most = Math.max(most, likelihood);
    return { shape, scale, likelihood };
  });
  let [weights, sum] = [0, 0];
  for (const { shape, scale, likelihood } of found) {
    const weight = Math.exp(likelihood - most);
    if (weight < NO_WEIGHT) continue;
    weights += weight;
    sum += weight * lnUpperGamma(1 / shape, scale ** -shape);
  }
  return sum / weights;
}

/** The logarithm of the gamma function, for x > 0. Uses Stirling's series, shifted to where it is exact to 1e-13. */
export function lnGamma(x: number): number {
  let [at, shift] = [x, 0];
  for (; at < 10; at++) shift += Math.log(at);
  const square = at * at;
  const series = (1 / 12 - (1 / 360 - (1 / 1_260 - 1 / (1_680 * square)) / square) / square) / at;
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - shift;
}

/** The part of each shape's likelihood that does not depend on its scale. */
const KNOWN = Array.from({ length: SHAPES }, (_, i) => {
  const shape = FIRST + i * STEP;
  const doubt = (Math.log(shape / 2) / PRIOR) ** 2 / 2;
  return { shape, spread: lnGamma(1 + 1 / shape) + 1 / shape, doubt };
});

const MOST_TERMS = 1_000;
const EXACT = 1e-13;

/**
 * The logarithm of the regularised upper incomplete gamma function. It stays exact where the function is almost 0.
 */
export function lnUpperGamma(a: number, x: number): number {
  const common = a * Math.log(x) - x - lnGamma(a);
  return x < a + 1 ? Math.log1p(-lowerSeries(a, x) * Math.exp(common)) : common + Math.log(fraction(a, x));
}

function lowerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < MOST_TERMS && term > sum * EXACT; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

/** Legendre's continued fraction, by Lentz's method. */
function fraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = Number.MAX_VALUE;
  let d = 1 / b;
  let value = d;
  for (let n = 1; n < MOST_TERMS; n++) {
    const term = -n * (n - a);
    b += 2;
    d = 1 / (term * d + b);
    c = b + term / c;
    value *= c * d;
    if (Math.abs(c * d - 1) < EXACT) break;
  }
  return value;
}
