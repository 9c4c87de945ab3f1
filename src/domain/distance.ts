/**
 * The distance of two stored templates, as the reference defines it: 1 minus the dot product, summed in double
 * precision in index order. Searches use the matcher instead; this is for single pairs.
 */
import { DISTANCE_BIN } from '../protocol/limits.ts';

/** @param a, b 128 float32 numbers of norm 1 each */
export function distance(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += (a[i] as number) * (b[i] as number);
  return 1 - dot;
}

/** The range of a distance: the first is 0 to 0.02. Rounding may make a distance slightly negative. */
export function distanceBin(distance: number): number {
  return Math.max(0, Math.floor(distance / DISTANCE_BIN));
}
