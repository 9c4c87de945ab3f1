/**
 * Thresholds and their error rates: the curve of both rates (DET), the threshold for a wanted FMR, and how large a
 * gallery may be. Functions that go beyond what was measured are named `extrapolated…`. Held by
 * test/calibration/comparisons.test.ts.
 */
import { edge, type Tally } from './comparisons.ts';

/** An app counts as safe if at most one stranger in 1,000 is let in. */
export const SAFE_FPIR = 0.001;

export interface Point {
  readonly threshold: number;
  readonly fmr: number;
  readonly fnmr: number;
}

/** The curve, with one point for each threshold at which a rate changes. Empty unless both kinds were compared. */
export function curveOf(genuine: Tally, impostor: Tally): Point[] {
  if (genuine.comparisons === 0 || impostor.comparisons === 0) return [];
  const points: Point[] = [];
  let [mates, others] = [0, 0];
  for (let bin = 0; bin < impostor.histogram.length; bin++) {
    const [more, moreOthers] = [genuine.histogram[bin] as number, impostor.histogram[bin] as number];
    if (more === 0 && moreOthers === 0) continue;
    mates += more;
    others += moreOthers;
    points.push({
      threshold: edge(bin + 1),
      fmr: others / impostor.comparisons,
      fnmr: 1 - mates / genuine.comparisons,
    });
  }
  return points;
}

/** The largest threshold, in steps of 0.0001, with at most this share of distances below it. 0: there is none. */
export function thresholdFor(share: number, { histogram, comparisons }: Tally): number {
  let below = 0;
  for (let bin = 0; bin < histogram.length; bin++) {
    below += histogram[bin] as number;
    if (below > share * comparisons) return edge(bin);
  }
  return edge(histogram.length - 1);
}

/** The distance below which this share of the comparisons lies, to 0.0001. */
export function quantile(share: number, { histogram, comparisons }: Tally): number {
  let below = 0;
  for (let bin = 0; bin < histogram.length; bin++) {
    below += histogram[bin] as number;
    if (below >= share * comparisons && below > 0) return edge(bin);
  }
  return edge(histogram.length - 1);
}

/** FPIR for a gallery of this size, if a stranger matches each user with this FMR. Users who look alike lower it. */
export function extrapolatedFpir(fmr: number, users: number): number {
  return -Math.expm1(users * Math.log1p(-fmr));
}

/** The most users for a wanted FPIR; null: unlimited. */
export function extrapolatedUsers(fmr: number, fpir: number): number | null {
  if (fmr === 0) return null;
  return fmr === 1 ? 0 : Math.floor(Math.log1p(-fpir) / Math.log1p(-fmr) + 1e-9);
}
