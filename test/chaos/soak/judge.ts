/** What a series of samples says: does it rise, is it flat, is it bounded? */
import { type Figure, figure } from '../../support/trial.ts';

const SLOPE_MB = 1;
/** Under ten minutes caches still fill. */
const JUDGED_FROM_MINUTES = 10;

/** What has to hold of a long run, and is only told of a short one. */
export function figureOfLong(
  what: string,
  wanted: string,
  measured: number | string,
  minutes: number,
  held: boolean,
): Figure {
  const isJudged = minutes >= JUDGED_FROM_MINUTES;
  const notJudged = `reported only, under ${JUDGED_FROM_MINUTES} min`;
  return figure(what, isJudged ? wanted : notJudged, measured, !isJudged || held);
}

/** @param samples at seconds, in MB */
export function memoryFigure(what: string, samples: readonly Point[], minutes: number): Figure {
  const rise = slopeOf(settled(samples).map(({ at, value }) => ({ at: at / 60, value })));
  const most = Math.max(...samples.map(({ value }) => value)).toFixed(0);
  return figureOfLong(
    `${what}, slope of the last two thirds`,
    `below ${SLOPE_MB} MB/min`,
    `${rise.toFixed(2)} MB/min, highest ${most} MB`,
    minutes,
    rise < SLOPE_MB,
  );
}

export interface Point {
  readonly at: number;
  readonly value: number;
}

/** Least squares: how much the values rise in one unit of `at`. */
export function slopeOf(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number) =>
    points.reduce((sum, one) => sum + of(one), 0) / points.length;
  const [at, value] = [mean(one => one.at), mean(one => one.value)];
  const across = points.reduce((sum, one) => sum + (one.at - at) ** 2, 0);
  const along = points.reduce((sum, one) => sum + (one.at - at) * (one.value - value), 0);
  return across === 0 ? Number.NaN : along / across;
}

/** What comes after the first third, in which caches fill and code is compiled. */
export function settled<T extends { readonly at: number }>(samples: readonly T[]): T[] {
  const last = samples.at(-1)?.at ?? 0;
  return samples.filter(({ at }) => at >= last / 3);
}

/**
 * The lowest of the last quarter less the lowest of the first: what is kept raises the lowest too, what is only under way
 * when a sample is taken does not.
 */
export function shiftOf(values: readonly number[]): number {
  const quarter = Math.max(1, Math.floor(values.length / 4));
  return Math.min(...values.slice(-quarter)) - Math.min(...values.slice(0, quarter));
}
