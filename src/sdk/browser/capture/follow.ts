/**
 * Whether a face is the one of the picture before, and whether a second person is in the picture. By places alone: what a
 * face looks like is not compared. Held by test/sdk/capture-session.test.ts.
 */
import type { DetectedFace } from '../types.ts';

/** The face that is followed, when it was seen last and since when. */
export interface Track {
  readonly face: DetectedFace;
  readonly time: number;
  readonly since: number;
}

/** A second face counts when it is at least so large, by the area of the first one. */
const SECOND = 0.25;
/** A face that was away for longer is another one. */
const LOST = 600;
/** Least overlap of a face with where it was before, by their joint area. */
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
