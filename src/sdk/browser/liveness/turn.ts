/**
 * Detects a head turn: the nose moves gradually to one side of the face. Two pictures of a person, front and side,
 * shown one after the other, are not a turn. Held by test/sdk/liveness-checks.test.ts.
 */
import { poseOf } from './pose.ts';
import type { Shape } from './shapes.ts';

/** Degrees from the first direction of the head. */
const TURN = 18;
/** The number of first samples that define this direction. */
const FIRST = 4;
const FEWEST = 6;
/** The largest share of the turn between two samples. */
const LEAP = 0.6;

/** @param shapes in order of time, at least about six a second */
export function hasTurn(shapes: readonly Shape[]): boolean {
  if (shapes.length < FEWEST) return false;
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
