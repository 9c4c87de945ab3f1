/** Detects what a person may be asked to do: to blink, or to turn the head. Held by test/sdk/liveness.test.ts. */
import type { Point } from '../types.ts';
import { poseOf } from './pose.ts';
import type { Shape } from './shapes.ts';

/** Shares of the eyes' normal openness: shut below the first, open above the second. */
const SHUT = 0.72;
const OPEN = 0.85;
/** The longest blink, in milliseconds. */
const LONGEST = 900;
const FEWEST_TO_BLINK = 5;
/** Eyes whose normal openness is below this count as shut. Changes are then only noise. */
const LEAST = 0.1;

export interface Timed {
  /** Milliseconds. */
  readonly time: number;
  readonly shape: Shape;
}

/**
 * The mean openness of both eyes: height over width, about 0.3 for an open eye. The face is aligned first, so that
 * tilting a photo does not close its eyes.
 */
export function opennessOf(shape: Shape): number {
  return (eyeOpenness(shape, 36) + eyeOpenness(shape, 42)) / 2;
}

/** Whether both eyes were open, shut and open again within a moment. */
export function hasBlink(samples: readonly Timed[]): boolean {
  if (samples.length < FEWEST_TO_BLINK) return false;
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

/** Degrees from the first direction of the head. */
const TURN = 18;
/** The number of first samples that define this direction. */
const FIRST = 4;
const FEWEST_TO_TURN = 6;
/** The largest share of the turn between two samples. */
const LEAP = 0.6;

/**
 * Whether the nose moves gradually to one side of the face. Two pictures of a person, front and side, shown one after
 * the other, are not a turn.
 * @param shapes in order of time, at least about six a second
 */
export function hasTurn(shapes: readonly Shape[]): boolean {
  if (shapes.length < FEWEST_TO_TURN) return false;
  const yaws = shapes.map(shape => poseOf(shape)?.yaw ?? Number.NaN);
  const start = median(yaws.slice(0, FIRST));
  const away = yaws.map(yaw => yaw - start);
  for (const side of [1, -1]) {
    const turned = away.findIndex((angle, i) => angle * side >= TURN && (away[i + 1] ?? 0) * side >= TURN);
    if (turned > 0 && isGradual(away.slice(0, turned + 1), (away[turned] as number) * side)) return true;
  }
  return false;
}

function isGradual(away: readonly number[], turn: number): boolean {
  return away.slice(1).every((angle, i) => Math.abs(angle - (away[i] as number)) <= LEAP * turn);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}
