/**
 * Passive liveness: a live face is never still and never flat. First, everything that moving a flat picture can do is
 * removed. The remaining motion of the landmarks is then compared with their jitter from one picture to the next: a
 * detector's jitter has no direction, but muscles and a turning head have one. A video fools it easily. Held by
 * test/sdk/liveness.test.ts.
 */
import { meanOf, type Overlay, type Shape, spread } from './shapes.ts';

/**
 * The most motion that a photo shows, in eye widths. When a picture moves, the errors of a landmark detector change a
 * little (measured with face-api: up to 0.008 when it is shifted), and more when it is turned, scaled or narrowed.
 */
const STILL = 0.006;
const PER_WARP = 0.12;
/** This many times the motion of a photo gives the full score. */
const ALIVE = 2.5;

/** The share of pictures of a working camera that may be identical to the previous one. */
const SAME = 0.4;
/** Landmarks closer than this (in eye widths) are identical: camera noise alone moves them more. */
const EXACT = 1e-4;

export interface Motion {
  /** 0 (a still or moved photo) to 1. */
  readonly score: number;
  /** Motion that lasts longer than one picture, in eye widths. */
  readonly lasting: number;
  /** Change from one picture to the next, in eye widths. */
  readonly jitter: number;
}

/** @param overlay of shapes in order of time */
export function motionOf({ shapes, warp }: Overlay): Motion {
  const mean = meanOf(shapes);
  const whole = shapes.reduce((sum, shape) => sum + spread(shape, mean), 0) / Math.max(1, shapes.length - 1);
  const steps = stepsOf(shapes);
  const jitter = steps.reduce((sum, step) => sum + step, 0) / Math.max(1, steps.length) / 2;
  const lasting = Math.sqrt(Math.max(0, whole - jitter));
  const photo = STILL + PER_WARP * warp;
  return {
    score: Math.min(1, Math.max(0, (lasting / photo - 1) / (ALIVE - 1))),
    lasting,
    jitter: Math.sqrt(jitter),
  };
}

/** Whether many pictures repeat the previous one: a frozen camera, or a file instead of a camera. */
export function isFrozen(shapes: readonly Shape[]): boolean {
  const steps = stepsOf(shapes);
  return steps.filter(step => step < EXACT * EXACT).length > SAME * steps.length;
}

function stepsOf(shapes: readonly Shape[]): number[] {
  return shapes.slice(1).map((shape, i) => spread(shape, shapes[i] as Shape));
}
