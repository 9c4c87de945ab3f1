/**
 * How a face is cut out of a frame before it is described: the square that face-api's network was trained on, and the
 * turned square that most other models want, with both eyes at fixed places. Geometry only; runs anywhere. Held by
 * test/sdk/capture-align.test.ts.
 */
import type { Point } from '../types.ts';
import type { Region } from './pixels.ts';

/** Points of the 68 that belong to a part of the face: from, and up to but not including. */
export const PARTS = { rightEye: [36, 42], leftEye: [42, 48], mouth: [48, 68] } as const;

/** The middle of some of the points. */
export function middle(points: readonly Point[], [from, to]: readonly [number, number]): Point {
  let [x, y] = [0, 0];
  for (const point of points.slice(from, to)) {
    x += point.x;
    y += point.y;
  }
  return { x: x / (to - from), y: y / (to - from) };
}

/** @throws RangeError when there are not 68 finite points */
export function checkLandmarks(points: readonly Point[]): void {
  if (points.length !== 68) throw new RangeError(`68 landmarks are needed, not ${points.length}`);
  if (!points.every(point => Number.isFinite(point.x) && Number.isFinite(point.y)))
    throw new RangeError('a landmark is not finite');
}

/** The upright square around eyes and mouth that face-api describes. In whole pixels, as there. */
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

/** Where the eyes lie in a square of side 1: left in the picture, right in the picture. */
export interface EyePlaces {
  readonly left: Point;
  readonly right: Point;
}

/** The places that models trained on ArcFace's 112 × 112 crops expect. */
export const ARCFACE_EYES: EyePlaces = {
  left: { x: 38.2946 / 112, y: 51.6963 / 112 },
  right: { x: 73.5318 / 112, y: 51.5014 / 112 },
};

/** As `setTransform` takes it: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export interface Similarity {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

/**
 * The turn, scale and shift that bring both eyes of a face to their places in a square.
 * @param side of the square, in pixels
 * @throws RangeError when there are not 68 landmarks, or when both eyes are at one point
 */
export function eyeSimilarity(points: readonly Point[], side: number, places = ARCFACE_EYES): Similarity {
  checkLandmarks(points);
  const [from, to] = [middle(points, PARTS.rightEye), middle(points, PARTS.leftEye)];
  const [x, y] = [to.x - from.x, to.y - from.y];
  const length = x * x + y * y;
  if (length < 1e-6) throw new RangeError('both eyes are at one point');
  const [wantedX, wantedY] = [
    (places.right.x - places.left.x) * side,
    (places.right.y - places.left.y) * side,
  ];
  const a = (wantedX * x + wantedY * y) / length;
  const b = (wantedY * x - wantedX * y) / length;
  return {
    a,
    b,
    c: -b,
    d: a,
    e: places.left.x * side - (a * from.x - b * from.y),
    f: places.left.y * side - (b * from.x + a * from.y),
  };
}
