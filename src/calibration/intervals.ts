/**
 * How sure an error rate is. Comparisons of the same persons go together (a look-alike fails with every picture), so
 * errors are taken as persons make them: the variance is robust to whatever comparisons with a person in common share,
 * and the Wilson interval is that of as many independent comparisons as would vary as much. Without any error nothing
 * can be said about how they cluster: then the rule of three, for comparisons and, more careful, for persons. 95 %
 * throughout. Held by test/calibration/intervals.test.ts.
 */

const Z = 1.959963984540054;
const DOUBT = 0.05;

export interface Rate {
  readonly errors: number;
  readonly trials: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  /** Independent trials that would vary as much; all of them where nothing tells. */
  readonly effective: number;
  /** Where there was no error: what the rate is below, if all trials, or only those of disjoint persons, count. */
  readonly none: { readonly byTrials: number; readonly byPersons: number } | null;
}

/** Wilson's interval of a share that was seen in n independent trials. */
export function wilson(share: number, n: number): [low: number, high: number] {
  const centre = share + (Z * Z) / (2 * n);
  const reach = Z * Math.sqrt((share * (1 - share)) / n + (Z * Z) / (4 * n * n));
  const over = 1 + (Z * Z) / n;
  const low = share === 0 ? 0 : (centre - reach) / over;
  return [Math.max(0, low), share === 1 ? 1 : Math.min(1, (centre + reach) / over)];
}

/** What a rate is below when none of n independent trials failed: about 3 / n. */
export function ruleOfThree(n: number): number {
  return n === 0 ? 1 : -Math.expm1(Math.log(DOUBT) / n);
}

/**
 * @param variance of the number of errors, over persons
 * @param disjoint trials that have no person in common
 * @param apart trials that are more than one repeated: what the rule of three may count
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
  // A small sample may give a variance of nothing, or less than chance alone: then trials count as independent.
  const effective = variance > independent ? (trials * independent) / variance : trials;
  if (errors === 0) {
    const none = { byTrials: ruleOfThree(apart), byPersons: ruleOfThree(Math.min(apart, disjoint)) };
    return { errors, trials, rate, low: 0, high: none.byTrials, effective, none };
  }
  const [low, high] = errors === trials ? [1 - ruleOfThree(apart), 1] : wilson(rate, effective);
  return { errors, trials, rate, low, high, effective, none: null };
}

/** Errors and trials of one person each: the variance of the sum of errors, for persons drawn by chance. */
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

/** Comparisons of two persons each. `errors` and `trials` count for both; sums run over pairs of persons. */
export interface PairCounts {
  readonly errors: ArrayLike<number>;
  readonly trials: ArrayLike<number>;
  /** Over pairs of persons: errors squared, errors times trials, trials squared. */
  readonly squares: { readonly errors: number; readonly mixed: number; readonly trials: number };
}

/**
 * The variance of the sum of errors, where pairs with a person in common go together and others do not: every pair's
 * residual times those of all pairs that share a person with it (the dyadic-robust variance).
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
  // The square of each pair is in the sums of both of its persons.
  return sum - (squares.errors - 2 * rate * squares.mixed + rate * rate * squares.trials);
}
