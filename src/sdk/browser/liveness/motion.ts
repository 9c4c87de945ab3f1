/**
 * Passive liveness: a living face is never still and never flat. After everything that moving a flat picture can do is taken out,
 * what its landmarks still do over time is compared with what jitters from one picture to the next: a detector's
 * jitter has no direction, a muscle's or a turning head's movement has. Easy to fool by a video. Runs anywhere. Held
 * by test/sdk/liveness.test.ts.
 */
import { meanOf, type Overlay, type Shape, spread } from './shapes.ts';

/**
 * What a photo shows at most, in eye widths: a landmark detector errs a little otherwise when a picture moves (measured
 * with face-api: up to 0.008 for one that is shifted), and more when it is turned, scaled or narrowed.
 */
const STILL = 0.006;
const PER_WARP = 0.12;
/** So many times what a photo shows counts fully. */
const ALIVE = 2.5;

/** Share of pictures that may be exactly like the one before, of a camera that is not frozen. */
const SAME = 0.4;
/** Landmarks nearer than this (in eye widths) are the same: a camera's noise alone moves them more. */
const EXACT = 1e-4;

export interface Motion {
  /** 0 (a still or moved photo) to 1. */
  readonly score: number;
  /** Movement that lasts beyond one picture, in eye widths. */
  readonly lasting: number;
  /** What changes from one picture to the next, in eye widths. */
  readonly jitter: number;
}

/** @param overlay of shapes in the order of time */
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

/** Whether most pictures are the one before once more: a frozen camera, or a file that is shown in its place. */
export function isFrozen(shapes: readonly Shape[]): boolean {
  const steps = stepsOf(shapes);
  return steps.filter(step => step < EXACT * EXACT).length > SAME * steps.length;
}

function stepsOf(shapes: readonly Shape[]): number[] {
  return shapes.slice(1).map((shape, i) => spread(shape, shapes[i] as Shape));
}
