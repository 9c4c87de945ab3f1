/**
 * The distance of two stored templates, as the reference defines it: 1 minus the dot product, summed in double
 * precision in index order. Searches use the matcher instead; this is for single pairs.
 */

/** @param a, b 128 float32 numbers of norm 1 each */
export function distance(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += (a[i] as number) * (b[i] as number);
  return 1 - dot;
}
