/** Welch's t, which shows whether two samples differ: the difference of the means divided by its standard error. */

export interface Sample {
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

export function welch(a: Sample, b: Sample): number {
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.n + b.variance / b.n);
}
