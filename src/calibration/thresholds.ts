/**
 * Thresholds and what they give: the curve of both error rates (DET), the threshold for a wanted FMR, and how large a
 * gallery may be. Arithmetic that goes beyond what was measured says so in its name. Held by
 * test/calibration/comparisons.test.ts.
 */
import { edge, type Tally } from './comparisons.ts';

/** An app is called safe where at most one stranger in so many is let in. */
export const SAFE_FPIR = 0.001;

export interface Point {
  readonly threshold: number;
  readonly fmr: number;
  readonly fnmr: number;
}

/** The curve, a point for each threshold at which a rate changes. Empty without comparisons of both kinds. */
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

/** The largest threshold, in steps of 0.0001, whose share of distances below it is at most this; 0: there is none. */
export function thresholdFor(share: number, { histogram, comparisons }: Tally): number {
  let below = 0;
  for (let bin = 0; bin < histogram.length; bin++) {
    below += histogram[bin] as number;
    if (below > share * comparisons) return edge(bin);
  }
  return edge(histogram.length - 1);
}

/** The distance that this share of the comparisons lies below, to 0.0001. */
export function quantile(share: number, { histogram, comparisons }: Tally): number {
  let below = 0;
  for (let bin = 0; bin < histogram.length; bin++) {
    below += histogram[bin] as number;
    if (below >= share * comparisons && below > 0) return edge(bin);
  }
  return edge(histogram.length - 1);
}

/** FPIR of so many users, each of whom a stranger meets with this FMR. Arithmetic: users that are alike lower it. */
export function extrapolatedFpir(fmr: number, users: number): number {
  return -Math.expm1(users * Math.log1p(-fmr));
}

/** The most users for a wanted FPIR; null: any number. */
export function extrapolatedUsers(fmr: number, fpir: number): number | null {
  if (fmr === 0) return null;
  return fmr === 1 ? 0 : Math.floor(Math.log1p(-fpir) / Math.log1p(-fmr) + 1e-9);
}
