/**
 * A head turn: the nose moves to a side of the face and passes everything between. Two pictures of one person, front and side, shown one
 * after the other, are no turn. Runs anywhere. Held by test/sdk/liveness-checks.test.ts.
 */
import { poseOf } from './pose.ts';
import type { Shape } from './shapes.ts';

/** Degrees away from where the head pointed at first. */
const TURN = 18;
/** How many of the first samples say where that was. */
const FIRST = 4;
const FEWEST = 6;
/** Largest share of the turn that may happen between two samples. */
const LEAP = 0.6;

/** @param shapes in the order of time, at least about six a second */
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
