/**
 * Random vectors for the matcher's tests: repeatable from a seed, easy (isotropic) and hard (a strong common mean),
 * and vectors placed at a distance to within a few 1e-10, which is far finer than float32 arithmetic can tell.
 */
import { exactDistance } from './reference.ts';

export type Random = () => number;

/** mulberry32: numbers from 0 (included) to 1. */
export function random(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function below(next: Random, limit: number): number {
  return Math.floor(next() * limit);
}

export function pick<T>(next: Random, list: readonly T[]): T {
  return list[below(next, list.length)] as T;
}

/** A direction in double precision; `mean` is the part that all directions have in common. */
export function direction(next: Random, mean = 0): number[] {
  const v = Array.from({ length: 128 }, () => next() + next() + next() + next() - 2 + mean);
  const norm = Math.hypot(...v);
  return v.map(x => x / norm);
}

/** Gives impostors a cosine of about 0.5 when used as `mean`. */
export const COMMON = 0.577;

/** Unit vectors as they are stored. */
export function vectors(next: Random, count: number, mean = 0): Float32Array[] {
  return Array.from({ length: count }, () => Float32Array.from(direction(next, mean)));
}

/** Another capture of what `vector` shows, at a cosine of about `likeness`. */
export function capture(next: Random, vector: Float32Array, likeness = 0.85): number[] {
  return placed(next, vector, likeness);
}

/** A stored vector whose exact distance from `probe` is `distance` within a few 1e-10. */
export function atDistance(next: Random, probe: Float32Array, distance: number): Float32Array {
  const vector = Float32Array.from(placed(next, probe, 1 - distance));
  const steepest = probe.reduce((top, x, i) => (Math.abs(x) > Math.abs(probe[top] as number) ? i : top), 0);
  // A small step along one coordinate; float32 near 0.1 is fine enough for 1e-9 in the product.
  for (let i = 0; i < 4; i++) {
    const excess = exactDistance(probe, vector) - distance;
    vector[steepest] = (vector[steepest] as number) + excess / (probe[steepest] as number);
  }
  return vector;
}

function placed(next: Random, from: Float32Array, cosine: number): number[] {
  const u = Array.from(from);
  const w = direction(next);
  const along = w.reduce((sum, x, i) => sum + x * (u[i] as number), 0);
  const across = w.map((x, i) => x - along * (u[i] as number));
  const norm = Math.hypot(...across);
  const sine = Math.sqrt(1 - cosine * cosine);
  return u.map((x, i) => x * cosine + ((across[i] as number) / norm) * sine);
}

export function shuffled<T>(next: Random, list: readonly T[]): T[] {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = below(next, i + 1);
    [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
  }
  return copy;
}

/**
 * Unit vectors as of faces: a common mean with so much of the square, and beside it variances that fall by 1/e every
 * `length` coordinates, in so many of them.
 */
export function facesLike(
  next: Random,
  count: number,
  { mean = 0.1, length = 40, rank = 127 }: { mean?: number; length?: number; rank?: number } = {},
): Float32Array[] {
  return Array.from({ length: count }, () => {
    const v = Array.from({ length: 127 }, (_, i) =>
      i < rank ? Math.exp(-i / 2 / length) * (next() + next() + next() + next() - 2) : 0,
    );
    const norm = Math.hypot(...v) / Math.sqrt(1 - mean);
    return Float32Array.from([...v.map(x => x / norm), Math.sqrt(mean)]);
  });
}
