/** Medians and quantiles of times, and whether two samples differ. A median ignores single interruptions. */

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The value that this share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

interface Sample {
  readonly n: number;
  readonly mean: number;
  readonly variance: number;
}

export function sample(values: readonly number[]): Sample {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  return { n, mean, variance };
}

/** Welch's t: the difference of the means divided by its standard error. */
export function welch(a: Sample, b: Sample): number {
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.n + b.variance / b.n);
}
