/**
 * Estimates where a head points, from the 68 landmarks of one picture. It measures the nose relative to the axes of the
 * face (from eye to eye, and from the eyes to the mouth), so moving, turning or tilting a flat photo changes nothing.
 * Only a head whose nose stands out can turn. Good enough for prompts and simple checks. Held by
 * test/sdk/quality.test.ts.
 */
import type { Point } from '../types.ts';

/** In degrees. The error is about 5 near the front, and larger beyond 30. */
export interface Pose {
  /** Turned to a side; positive: the nose points to the right of the picture. */
  readonly yaw: number;
  /** Positive: looking down. */
  readonly pitch: number;
  /** Tilted to a shoulder; positive: clockwise in the picture. */
  readonly roll: number;
}

/** How far the nose tip stands out of the plane of eyes and mouth, in distances between the outer eye corners. */
const NOSE_STANDS_OUT = 0.385;
/** Position of the nose tip between eyes (0) and mouth (1) in a face that looks ahead, and degrees per such length. */
const NOSE_LIES_AT = 0.62;
const PITCH_PER_LENGTH = 117;

/** @returns null if there are not 68 landmarks, or if they do not form a face */
export function poseOf(points: readonly Point[]): Pose | null {
  const [right, left, nose] = [points[36], points[45], points[30]];
  const [corner, other] = [points[48], points[54]];
  if (points.length !== 68 || !right || !left || !nose || !corner || !other) return null;
  const eyes = { x: (right.x + left.x) / 2, y: (right.y + left.y) / 2 };
  const across = { x: left.x - right.x, y: left.y - right.y };
  const down = { x: (corner.x + other.x) / 2 - eyes.x, y: (corner.y + other.y) / 2 - eyes.y };
  const area = across.x * down.y - across.y * down.x;
  const width = Math.hypot(across.x, across.y);
  if (!(area > 0.05 * width * width)) return null;
  const [x, y] = [nose.x - eyes.x, nose.y - eyes.y];
  const aside = (x * down.y - y * down.x) / area;
  const below = (across.x * y - across.y * x) / area;
  return {
    yaw: degrees(Math.atan(aside / NOSE_STANDS_OUT)),
    pitch: (below - NOSE_LIES_AT) * PITCH_PER_LENGTH,
    roll: degrees(Math.atan2(across.y, across.x)),
  };
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}
