/**
 * Aligns the faces of a sequence: each is moved, turned, scaled and sheared onto their mean. The unit is the distance
 * between the outer eye corners. The differences that remain cannot come from moving a flat picture. Held by
 * test/sdk/liveness.test.ts.
 */
import type { Point } from '../types.ts';

export type Shape = readonly Point[];

export interface Overlay {
  /** In the given order. Distances are in eye widths. */
  readonly shapes: readonly Shape[];
  /** How much turning, scaling and shearing was removed: 0.1 is about a tenth of the face's size. */
  readonly warp: number;
}

/** Aligns every shape with the mean of all. Null if one of them is not a face. */
export function overlay(shapes: readonly Shape[]): Overlay | null {
  const first = shapes[0];
  const start = first && upright(first);
  const rough = start && layAll(shapes, start);
  const mean = rough && upright(meanOf(rough.map(({ shape }) => shape)));
  const laid = mean && layAll(shapes, mean);
  return laid ? { shapes: laid.map(({ shape }) => shape), warp: warpOf(laid.map(({ map }) => map)) } : null;
}

/** The linear part of an affine map: [a, b, c, d]. */
type Linear = readonly [number, number, number, number];

interface Laid {
  readonly shape: Shape;
  readonly map: Linear;
}

/** How much the maps differ from their mean, relative to its size. */
function warpOf(maps: readonly Linear[]): number {
  const mean = [0, 1, 2, 3].map(i => maps.reduce((sum, map) => sum + (map[i] as number), 0) / maps.length);
  const off = maps.reduce(
    (sum, map) => sum + map.reduce((part, value, i) => part + (value - (mean[i] as number)) ** 2, 0),
    0,
  );
  const size = mean.reduce((sum, value) => sum + value * value, 0);
  return Math.sqrt(off / maps.length / size);
}

/** Moves and scales a shape: the middle of the eyes becomes the origin, and the outer corners have distance 1. */
function upright(shape: Shape): Shape | null {
  const [right, left] = [shape[36], shape[45]];
  if (!right || !left) return null;
  const [x, y] = [(right.x + left.x) / 2, (right.y + left.y) / 2];
  const width = Math.hypot(left.x - right.x, left.y - right.y);
  if (!(width > 0)) return null;
  return shape.map(point => ({ x: (point.x - x) / width, y: (point.y - y) / width }));
}

export function meanOf(shapes: readonly Shape[]): Shape {
  return (shapes[0] ?? []).map((_, i) => {
    let [x, y] = [0, 0];
    for (const shape of shapes) {
      x += shape[i]?.x ?? 0;
      y += shape[i]?.y ?? 0;
    }
    return { x: x / shapes.length, y: y / shapes.length };
  });
}

function layAll(shapes: readonly Shape[], onto: Shape): Laid[] | null {
  const laid = shapes.map(shape => lay(shape, onto));
  return laid.every(one => one !== null) ? laid : null;
}

/** Applies the affine map that brings the shape closest to another one (least squares). */
function lay(shape: Shape, onto: Shape): Laid | null {
  if (shape.length !== onto.length || shape.length < 3) return null;
  const [from, to] = [centroid(shape), centroid(onto)];
  let [xx, xy, yy, xu, yu, xv, yv] = [0, 0, 0, 0, 0, 0, 0];
  for (const [i, point] of shape.entries()) {
    const [x, y] = [point.x - from.x, point.y - from.y];
    const [u, v] = [(onto[i]?.x ?? 0) - to.x, (onto[i]?.y ?? 0) - to.y];
    xx += x * x;
    xy += x * y;
    yy += y * y;
    xu += x * u;
    yu += y * u;
    xv += x * v;
    yv += y * v;
  }
  const area = xx * yy - xy * xy;
  if (!(area > 1e-9 * (xx + yy) ** 2)) return null;
  const [a, b] = [(xu * yy - yu * xy) / area, (yu * xx - xu * xy) / area];
  const [c, d] = [(xv * yy - yv * xy) / area, (yv * xx - xv * xy) / area];
  const moved = shape.map(point => {
    const [x, y] = [point.x - from.x, point.y - from.y];
    return { x: a * x + b * y + to.x, y: c * x + d * y + to.y };
  });
  return { shape: moved, map: [a, b, c, d] };
}

function centroid(shape: Shape): Point {
  const sum = shape.reduce((all, point) => ({ x: all.x + point.x, y: all.y + point.y }), { x: 0, y: 0 });
  return { x: sum.x / shape.length, y: sum.y / shape.length };
}

/** Mean squared distance between the points of two shapes. */
export function spread(a: Shape, b: Shape): number {
  let sum = 0;
  for (const [i, point] of a.entries()) {
    const other = b[i] ?? point;
    sum += (point.x - other.x) ** 2 + (point.y - other.y) ** 2;
  }
  return sum / Math.max(1, a.length);
}
