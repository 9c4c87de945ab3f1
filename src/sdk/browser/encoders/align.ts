/**
 * Computes how to crop a face before it is described: the square that face-api's network was trained on, and the
 * rotated square of most other models, with both eyes at fixed positions. Held by test/sdk/capture-align.test.ts.
 */
import type { Point } from '../types.ts';
import type { Region } from './pixels.ts';

/** Index ranges of the 68 points: start (inclusive) and end (exclusive). */
export const PARTS = { rightEye: [36, 42], leftEye: [42, 48], mouth: [48, 68] } as const;

/** The mean of the points in a range. */
export function middle(points: readonly Point[], [from, to]: readonly [number, number]): Point {
  let [x, y] = [0, 0];
  for (const point of points.slice(from, to)) {
    x += point.x;
    y += point.y;
  }
  return { x: x / (to - from), y: y / (to - from) };
}

/** @throws RangeError if there are not 68 finite points */
function checkLandmarks(points: readonly Point[]): void {
  if (points.length !== 68) throw new RangeError(`68 landmarks are needed, not ${points.length}`);
  if (!points.every(point => Number.isFinite(point.x) && Number.isFinite(point.y)))
    throw new RangeError('a landmark is not finite');
}

/** The upright square around eyes and mouth that face-api describes, in whole pixels like face-api. */
export function dlibSquare(points: readonly Point[]): Region {
  checkLandmarks(points);
  const [one, two, mouth] = [
    middle(points, PARTS.rightEye),
    middle(points, PARTS.leftEye),
    middle(points, PARTS.mouth),
  ];
  const reach =
    (Math.hypot(mouth.x - one.x, mouth.y - one.y) + Math.hypot(mouth.x - two.x, mouth.y - two.y)) / 2;
  const side = Math.floor(reach / 0.45);
  const x = Math.floor(Math.max(0, (one.x + two.x + mouth.x) / 3 - 0.5 * side));
  const y = Math.floor(Math.max(0, (one.y + two.y + mouth.y) / 3 - 0.43 * side));
  return { x, y, width: side, height: side };
}

/** Positions of the eyes in a square of side 1: left and right in the picture. */
export interface EyePlaces {
  readonly left: Point;
  readonly right: Point;
}

/**
 * Positions of both eyes, the tip of the nose and the corners of the mouth in ArcFace's 112 × 112 crops, in a square of
 * side 1. Left in the picture comes first.
 */
export const ARCFACE_POINTS: readonly [Point, Point, Point, Point, Point] = [
  { x: 38.2946 / 112, y: 51.6963 / 112 },
  { x: 73.5318 / 112, y: 51.5014 / 112 },
  { x: 56.0252 / 112, y: 71.7366 / 112 },
  { x: 41.5493 / 112, y: 92.3655 / 112 },
  { x: 70.7299 / 112, y: 92.2041 / 112 },
];
export const ARCFACE_EYES: EyePlaces = { left: ARCFACE_POINTS[0], right: ARCFACE_POINTS[1] };

/** Arguments of `setTransform`: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export interface Similarity {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

/**
 * The rotation, scale and shift that bring both eyes to their positions in a square.
 * @param side of the square, in pixels
 * @throws RangeError if there are not 68 landmarks, or if both eyes are at one point
 */
export function eyeSimilarity(
  points: readonly Point[],
  side: number,
  { left, right } = ARCFACE_EYES,
): Similarity {
  checkLandmarks(points);
  return similarity(eyesIn(points), [left, right], side);
}

/**
 * The rotation, scale and shift that bring eyes, nose tip and mouth corners closest to ArcFace's positions (least
 * squares). Unlike two eyes alone, five points distinguish a face that looks up from a small one.
 * @param side of the square, in pixels
 * @throws RangeError if there are not 68 landmarks, or if all five points are the same
 */
export function fiveSimilarity(points: readonly Point[], side: number): Similarity {
  checkLandmarks(points);
  const [nose, left, right] = [points[30], points[48], points[54]] as [Point, Point, Point];
  return similarity([...eyesIn(points), nose, left, right], ARCFACE_POINTS, side);
}

function eyesIn(points: readonly Point[]): [Point, Point] {
  return [middle(points, PARTS.rightEye), middle(points, PARTS.leftEye)];
}

/** Least squares; exact for two points. */
function similarity(from: readonly Point[], places: readonly Point[], side: number): Similarity {
  const to = places.map(({ x, y }) => ({ x: x * side, y: y * side }));
  const all = [0, from.length] as const;
  const [centre, wanted] = [middle(from, all), middle(to, all)];
  let [a, b, spread] = [0, 0, 0];
  for (const [i, point] of from.entries()) {
    const [x, y] = [point.x - centre.x, point.y - centre.y];
    const { x: toX, y: toY } = to[i] as Point;
    a += x * (toX - wanted.x) + y * (toY - wanted.y);
    b += x * (toY - wanted.y) - y * (toX - wanted.x);
    spread += x * x + y * y;
  }
  if (spread < 1e-6) throw new RangeError('the points of the face are at one point');
  a /= spread;
  b /= spread;
  return {
    a,
    b,
    c: -b,
    d: a,
    e: wanted.x - (a * centre.x - b * centre.y),
    f: wanted.y - (b * centre.x + a * centre.y),
  };
}
