/**
 * Detects blinks: both eyes close and open again within a moment. The openness of an eye is its height over its width,
 * on faces that are aligned first, so that tilting a photo does not close its eyes. Held by
 * test/sdk/liveness-checks.test.ts.
 */
import type { Point } from '../types.ts';
import type { Shape } from './shapes.ts';

/** Shares of the eyes' normal openness: shut below the first, open above the second. */
const SHUT = 0.72;
const OPEN = 0.85;
/** The longest blink, in milliseconds. */
const LONGEST = 900;
const FEWEST = 5;
/** Eyes whose normal openness is below this count as shut. Changes are then only noise. */
const LEAST = 0.1;

export interface Timed {
  /** Milliseconds. */
  readonly time: number;
  readonly shape: Shape;
}

/** The mean openness of both eyes: height over width, about 0.3 for an open eye. */
export function opennessOf(shape: Shape): number {
  return (eyeOpenness(shape, 36) + eyeOpenness(shape, 42)) / 2;
}

/** Whether the eyes were open, shut and open again. */
export function hasBlink(samples: readonly Timed[]): boolean {
  if (samples.length < FEWEST) return false;
  const openness = samples.map(({ shape }) => opennessOf(shape));
  const normal = quantile(openness, 0.7);
  if (!(normal >= LEAST)) return false;
  let openAt: number | undefined;
  let shut = false;
  for (const [i, { time }] of samples.entries()) {
    const share = (openness[i] as number) / normal;
    if (share <= SHUT) shut = openAt !== undefined;
    else if (share >= OPEN) {
      if (shut && openAt !== undefined && time - openAt <= LONGEST) return true;
      shut = false;
      openAt = time;
    }
  }
  return false;
}

function eyeOpenness(shape: Shape, from: number): number {
  const [outer, a, b, inner, c, d] = shape.slice(from, from + 6);
  if (!outer || !a || !b || !inner || !c || !d) return 0;
  return (distance(a, d) + distance(b, c)) / (2 * distance(outer, inner));
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] as number;
}
