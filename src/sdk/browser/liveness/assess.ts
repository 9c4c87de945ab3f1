/**
 * Rates liveness from the landmarks of a sequence of pictures: natural motion, and whether the person did what they
 * were asked to do. Advisory: it detects a still photo, a moved photo and a frozen camera, but a video of the person, a
 * mask or a virtual camera passes. Nobody is refused here; the score goes to the service. Held by
 * test/sdk/liveness.test.ts.
 */
import { isAsked, type Liveness, type LivenessCheck, type Point } from '../types.ts';
import { hasBlink, hasTurn } from './asked.ts';
import { isFrozen, motionOf } from './motion.ts';
import { overlay } from './shapes.ts';

export interface Sample {
  /** Milliseconds of a monotonic clock. */
  readonly time: number;
  /** 68 points, in pixels. */
  readonly landmarks: readonly Point[];
}

/** The least number of samples for a score. */
const FEWEST = 5;
/** The share of the remaining doubt that each finding removes. */
const WEIGHT = { motion: 0.6, blink: 0.6, turn: 0.75 } as const;
/** The highest score of a person who did not do what they were asked to do. */
const REFUSED = 0.3;
/** From this score on, natural motion is a passed check. */
const MOVES = 0.5;

/**
 * The score is from 0 to 1, and about 0 for a photo or a frozen camera. The checks are `motion`, `blink` and `turn`. A
 * blink or turn counts even if it was not asked for.
 * @param samples pictures of one face, in order of time; those without 68 landmarks are ignored
 */
export function assessLiveness(samples: readonly Sample[], check: LivenessCheck = 'passive'): Liveness {
  const usable = samples.filter(({ landmarks }) => landmarks.length === 68);
  const none = { score: 0, checks: [] };
  if (check === 'off' || usable.length < FEWEST) return none;
  const laid = overlay(usable.map(({ landmarks }) => landmarks));
  if (!laid || isFrozen(laid.shapes)) return none;
  const { shapes } = laid;
  const motion = motionOf(laid).score;
  const found = {
    motion: motion >= MOVES,
    blink: hasBlink(shapes.map((shape, i) => ({ time: usable[i]?.time ?? 0, shape }))),
    turn: hasTurn(shapes),
  };
  const doubt =
    (1 - WEIGHT.motion * motion) * (found.blink ? 1 - WEIGHT.blink : 1) * (found.turn ? 1 - WEIGHT.turn : 1);
  const refused = isAsked(check) && !found[check];
  return {
    score: Math.min(1 - doubt, refused ? REFUSED : 1),
    checks: (['motion', 'blink', 'turn'] as const).filter(one => found[one]),
  };
}
