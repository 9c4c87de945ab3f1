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
/** A face that pictures have not shown for longer than this counts as another one, in milliseconds. */
const LOST = 500;
/** Nor is anything known after a longer pause than this. Slow devices take seconds for a picture. */
const UNSEEN = 3_000;
/** Least overlap of a face with its previous position, as a share of their joint area. */
const OVERLAP = 0.15;
/** A face that has moved by this share of its width is not still. */
const MOVING = 0.06;

/** @param before the time of the picture before this one */
export function isSame(track: Track, face: DetectedFace, time: number, before: number): boolean {
  const isLost = before - track.time > LOST || time - before > UNSEEN;
  return !isLost && overlapOf(track.face, face) >= OVERLAP;
}

/** Whether a face is elsewhere than in the picture before. Landmarks and boxes of a still face jitter by less. */
export function isMoving({ face }: Track, { box }: DetectedFace): boolean {
  const [x, y] = [face.box.x - box.x, face.box.y - box.y];
  const [width, height] = [face.box.width - box.width, face.box.height - box.height];
  return Math.hypot(x + width / 2, y + height / 2) > MOVING * box.width;
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
