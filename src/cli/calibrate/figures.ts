/** Formats the figures of a calibration, for people and for programs. */
import type { Rate } from '../../calibration/intervals.ts';

export { grouped as count } from '../../protocol/amounts.ts';

/** Precision depends on the size: 12.3 %, 0.12 %, 3.1e-4. */
export function share(value: number): string {
  if (value === 0) return '0';
  if (value >= 1e-3) return `${Number((value * 100).toPrecision(3))} %`;
  return value.toExponential(1);
}

export function interval({ low, high, none }: Pick<Rate, 'low' | 'high' | 'none'>): string {
  return none ? `below ${share(high)}` : `${share(low)} to ${share(high)}`;
}

/** A rate as JSON, in snake case like every response of the service. */
export function rateJson(rate: Rate | null): object | null {
  if (!rate) return null;
  const { errors, trials, low, high, none } = rate;
  return {
    errors,
    trials,
    rate: rate.rate,
    low,
    high,
    effective_trials: Math.round(rate.effective),
    rule_of_three: none && { by_trials: none.byTrials, by_persons: none.byPersons },
  };
}
