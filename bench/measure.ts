/**
 * Timing of competitors in one run: they take turns, so that whatever else the machine does falls on all of them
 * alike, and the median is told, so that single interruptions count for nothing. A turn is a short burst: a single
 * call after milliseconds of somebody else's work would measure cold caches more than the search.
 */

const BURST = 5;

/**
 * Gives every competitor `warmUp` turns that are not counted, then `turns` that are; every call is timed by itself.
 * @returns the median of each, in milliseconds
 */
export function interleaved(
  runs: readonly ((call: number) => void)[],
  warmUp: number,
  turns: number,
): number[] {
  const times = runs.map(() => [] as number[]);
  for (let turn = 0; turn < warmUp + turns; turn++) {
    for (const [i, run] of runs.entries()) {
      for (let call = turn * BURST; call < (turn + 1) * BURST; call++) {
        const start = performance.now();
        run(call);
        if (turn >= warmUp) times[i]?.push(performance.now() - start);
      }
    }
  }
  return times.map(median);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
