/**
 * Confidence intervals of error rates, all at 95 %. Comparisons of the same person are not independent (a look-alike
 * fails with every picture). So the variance is computed over persons and allows for anything that comparisons of one
 * person share. The Wilson interval is then that of the number of independent comparisons with the same variance. If
 * there was no error, nothing is known about clustering, and the rule of three applies: for comparisons and, more
 * cautiously, for persons. Held by test/calibration/intervals.test.ts.
 */

const Z = 1.959963984540054;
const DOUBT = 0.05;

export interface Rate {
  readonly errors: number;
  readonly trials: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  /** Number of independent trials with the same variance; all trials if clustering is unknown. */
  readonly effective: number;
  /** If there was no error: upper bounds of the rate, by all trials and by trials of disjoint persons. */
  readonly none: { readonly byTrials: number; readonly byPersons: number } | null;
}

/** Wilson's interval for a share seen in n independent trials. */
export function wilson(share: number, n: number): [low: number, high: number] {
  const centre = share + (Z * Z) / (2 * n);
  const reach = Z * Math.sqrt((share * (1 - share)) / n + (Z * Z) / (4 * n * n));
  const over = 1 + (Z * Z) / n;
  const low = share === 0 ? 0 : (centre - reach) / over;
  return [Math.max(0, low), share === 1 ? 1 : Math.min(1, (centre + reach) / over)];
}

/** Upper bound of a rate if none of n independent trials failed: about 3 / n. */
export function ruleOfThree(n: number): number {
  return n === 0 ? 1 : -Math.expm1(Math.log(DOUBT) / n);
}

/**
 * @param variance of the number of errors, over persons
 * @param disjoint trials that have no person in common
 * @param apart trials that are not repeats of one another: the number for the rule of three
 */
export function rateOf(
  errors: number,
  trials: number,
  variance: number,
  disjoint: number,
  apart = trials,
): Rate | null {
  if (trials === 0) return null;
  const rate = errors / trials;
  const independent = rate * (1 - rate) * trials;
  // A small sample may have no variance, or less than chance alone gives: then trials count as independent.
  const effective = variance > independent ? (trials * independent) / variance : trials;
  if (errors === 0) {
    const none = { byTrials: ruleOfThree(apart), byPersons: ruleOfThree(Math.min(apart, disjoint)) };
    return { errors, trials, rate, low: 0, high: none.byTrials, effective, none };
  }
  const [low, high] = errors === trials ? [1 - ruleOfThree(apart), 1] : wilson(rate, effective);
  return { errors, trials, rate, low, high, effective, none: null };
}

/** Variance of the sum of errors for randomly drawn persons, from the errors and trials of each. */
export function clusterVariance(errors: ArrayLike<number>, trials: ArrayLike<number>): number {
  let [allErrors, allTrials, persons] = [0, 0, 0];
  for (let p = 0; p < trials.length; p++) {
    allErrors += errors[p] as number;
    allTrials += trials[p] as number;
    if ((trials[p] as number) > 0) persons++;
  }
  if (persons < 2) return 0;
  const rate = allErrors / allTrials;
  let sum = 0;
  for (let p = 0; p < trials.length; p++) sum += ((errors[p] as number) - rate * (trials[p] as number)) ** 2;
  return (sum * persons) / (persons - 1);
}

/**
 * Of the errors and trials of each person, who share a picture, a light or a look-alike.
 * @param apart trials that are not repeats of one another, if not all of them
 */
export function rateByPerson(errors: Float64Array, trials: Float64Array, apart?: number): Rate | null {
  const sum = (all: Float64Array) => all.reduce((total, one) => total + one, 0);
  const persons = trials.reduce((total, one) => total + (one > 0 ? 1 : 0), 0);
  return rateOf(sum(errors), sum(trials), clusterVariance(errors, trials), persons, apart);
}

/** Comparisons of two persons. `errors` and `trials` count for both of them; the sums run over pairs of persons. */
interface PairCounts {
  readonly errors: ArrayLike<number>;
  readonly trials: ArrayLike<number>;
  /** Summed over pairs of persons: errors squared, errors times trials, trials squared. */
  readonly squares: { readonly errors: number; readonly mixed: number; readonly trials: number };
}

/**
 * The variance of the sum of errors, if only pairs with a person in common are correlated: the sum, over all such pairs
 * of pairs, of the product of their residuals (dyadic-robust variance).
 */
export function pairVariance({ errors, trials, squares }: PairCounts): number {
  let [allErrors, allTrials] = [0, 0];
  for (let p = 0; p < trials.length; p++) {
    allErrors += errors[p] as number;
    allTrials += trials[p] as number;
  }
  if (allTrials === 0) return 0;
  const rate = allErrors / allTrials;
  let sum = 0;
  for (let p = 0; p < trials.length; p++) sum += ((errors[p] as number) - rate * (trials[p] as number)) ** 2;
  // The square of each pair is in the sums of both its persons.
  return sum - (squares.errors - 2 * rate * squares.mixed + rate * rate * squares.trials);
}
