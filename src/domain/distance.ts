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

/** As the matcher stores a descriptor. @param descriptor 128 finite numbers of a norm of at least 1e-6, at any scale */
export function normalised(descriptor: readonly number[]): Float32Array {
  const largest = descriptor.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const norm = Math.sqrt(descriptor.reduce((sum, value) => sum + (value / largest) ** 2, 0));
  return Float32Array.from(descriptor, value => value / largest / norm);
}

/** The range of a distance: the first is 0 to 0.02. Rounding may make a distance slightly negative. */
export function distanceBin(distance: number): number {
  return Math.max(0, Math.floor(distance / DISTANCE_BIN));
}
