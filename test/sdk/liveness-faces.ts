/**
 * A head as 68 points in space, and pictures of it as a camera far away takes them: it turns, tilts, blinks, opens its
 * mouth. And a photo of it, which can only be moved as a whole. The noise of a landmark detector comes from a seed.
 */
import type { Picture } from '../../src/sdk/browser/capture/session.ts';
import type { Sample } from '../../src/sdk/browser/liveness/assess.ts';
import type { DetectedFace, Point } from '../../src/sdk/browser/types.ts';

type Spot = readonly [x: number, y: number, z: number];

export interface Head {
  /** Degrees. */
  readonly yaw?: number;
  readonly pitch?: number;
  readonly roll?: number;
  /** 0 (open) to 1. */
  readonly shut?: number;
  readonly mouth?: number;
}

const eye = (middle: number, from: number): Spot[] =>
  (
    [
      [0, 0],
      [0.1, -1],
      [0.24, -1],
      [0.33, 0],
      [0.24, 1],
      [0.1, 1],
    ] as const
  ).map(([x, y]) => [middle + from + x, y * 0.06, 0]);

/** x to the right of the picture, y down, z to the camera; the unit is the distance between the outer eye corners. */
function spots({ shut = 0, mouth = 0 }: Head): Spot[] {
  const jaw = Array.from({ length: 17 }, (_, i): Spot => {
    const angle = ((i - 8) / 8) * (Math.PI / 2);
    return [0.8 * Math.sin(angle), 0.1 + 1.15 * Math.cos(angle), 0.1 - 0.7 * Math.sin(angle) ** 2];
  });
  const brow = (x: number) => Array.from({ length: 5 }, (_, i): Spot => [x + 0.13 * i, -0.28, 0.05]);
  const bridge = Array.from({ length: 4 }, (_, i): Spot => [0, 0.04 + 0.14 * i, 0.12 + 0.13 * i]);
  const nostrils = Array.from({ length: 5 }, (_, i): Spot => [-0.16 + 0.08 * i, 0.55, 0.3]);
  const eyes = [...eye(-0.5, 0), ...eye(0.17, 0)].map(([x, y, z]): Spot => [x, y * (1 - 0.85 * shut), z]);
  const lips = (count: number, width: number, height: number) =>
    Array.from({ length: count }, (_, i): Spot => {
      const angle = Math.PI - (2 * Math.PI * i) / count;
      const down = -Math.sin(angle) * (height + 0.1 * mouth);
      return [width * Math.cos(angle), 0.75 + down, 0.25];
    });
  return [
    ...jaw,
    ...brow(-0.65),
    ...brow(0.13),
    ...bridge,
    ...nostrils,
    ...eyes,
    ...lips(12, 0.28, 0.1),
    ...lips(8, 0.2, 0.04),
  ];
}

/** Landmarks in pixels; the eyes are 100 apart. */
export function pictureOf(head: Head = {}): Point[] {
  const [yaw, pitch, roll] = [head.yaw ?? 0, head.pitch ?? 0, head.roll ?? 0].map(
    angle => (angle * Math.PI) / 180,
  ) as [number, number, number];
  return spots(head).map(([x, y, z]) => {
    const [x1, z1] = [x * Math.cos(yaw) + z * Math.sin(yaw), z * Math.cos(yaw) - x * Math.sin(yaw)];
    const y1 = y * Math.cos(pitch) + z1 * Math.sin(pitch);
    return {
      x: 320 + 100 * (x1 * Math.cos(roll) - y1 * Math.sin(roll)),
      y: 200 + 100 * (x1 * Math.sin(roll) + y1 * Math.cos(roll)),
    };
  });
}

/** An affine map of a picture: x' = a·x + b·y + e, y' = c·x + d·y + f. */
export function moved(picture: readonly Point[], [a, b, c, d, e, f]: readonly number[]): Point[] {
  return picture.map(({ x, y }) => ({
    x: (a ?? 1) * x + (b ?? 0) * y + (e ?? 0),
    y: (c ?? 0) * x + (d ?? 1) * y + (f ?? 0),
  }));
}

/** Ten pictures a second. The noise is that of a detector: 0.4 pixels, eyes 100 apart. */
export function sequence(
  count: number,
  at: (i: number) => readonly Point[],
  noise = 0.4,
  seed = 1,
): Sample[] {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const jitter = () => noise * (next() + next() + next() + next() - 2) * Math.sqrt(3);
  return Array.from({ length: count }, (_, i) => ({
    time: 100 * i,
    landmarks: at(i).map(({ x, y }) => ({ x: x + jitter(), y: y + jitter() })),
  }));
}

export const LIGHT = { brightness: 120, contrast: 45, sharpness: 0.1, clipped: 0 };
/** A face found in the middle of a picture, or where x says. */
export const faceOf = (landmarks: readonly Point[], x = 200): DetectedFace => ({
  box: { x, y: 120, width: 240, height: 240 },
  landmarks,
  score: 0.9,
});
/** A frame of the camera, as a capture gets it. */
export const picture = (time: number, faces: readonly DetectedFace[], light = LIGHT): Picture => ({
  time,
  width: 640,
  height: 480,
  faces,
  light,
});
