/**
 * Decides whether a face is the same as in the previous picture, and whether there is a second person. It compares only
 * positions and sizes, not descriptors. Held by test/sdk/capture-session.test.ts.
 */
import type { DetectedFace } from '../types.ts';

/** The tracked face, when it was last seen, and since when it is tracked. */
export interface Track {
  readonly face: DetectedFace;
  readonly time: number;
  readonly since: number;
}

/** A second face counts if it is larger than this share of the first one's area. */
const SECOND = 0.25;
/** A face that was away for longer than this counts as another one, in milliseconds. */
const LOST = 600;
/** Least overlap of a face with its previous position, as a share of their joint area. */
const OVERLAP = 0.15;

export function isSame(track: Track, face: DetectedFace, time: number): boolean {
  return time - track.time <= LOST && overlapOf(track.face, face) >= OVERLAP;
}

export function isSecond(second: DetectedFace | undefined, first: DetectedFace): boolean {
  return second !== undefined && areaOf(second) > SECOND * areaOf(first);
}

function areaOf({ box }: DetectedFace): number {
  return box.width * box.height;
}

function overlapOf(a: DetectedFace, b: DetectedFace): number {
  const width = Math.min(a.box.x + a.box.width, b.box.x + b.box.width) - Math.max(a.box.x, b.box.x);
  const height = Math.min(a.box.y + a.box.height, b.box.y + b.box.height) - Math.max(a.box.y, b.box.y);
  const shared = Math.max(0, width) * Math.max(0, height);
  return shared / (areaOf(a) + areaOf(b) - shared);
}
