/**
 * Liveness from the landmarks of one sequence of pictures: what moves by itself, and whether the person did what they
 * were asked for. Advisory. It tells a still photo, a moved photo and a frozen camera from a person; a video of the person, a mask
 * or a camera that is none passes it. Nobody is refused here: the score goes to the service, which hands it on.
 * Held by test/sdk/liveness.test.ts.
 */
import type { Liveness, Point } from '../types.ts';
import { hasBlink } from './blink.ts';
import { isAsked, type LivenessCheck } from './check.ts';
import { isFrozen, motionOf } from './motion.ts';
import { overlay } from './shapes.ts';
import { hasTurn } from './turn.ts';

export interface Sample {
  /** Milliseconds, of any clock that does not go back. */
  readonly time: number;
  /** 68 points, in pixels. */
  readonly landmarks: readonly Point[];
}

/** Fewest samples that say anything. */
const FEWEST = 5;
/** What each finding takes of the doubt that is left. */
const WEIGHT = { motion: 0.6, blink: 0.6, turn: 0.75 } as const;
/** The most that a person gets who was asked for something and did not do it. */
const REFUSED = 0.3;
/** From here on natural motion is a check that was passed. */
const MOVES = 0.5;

/**
 * The score runs from 0 to 1: about 0 for a photo or a frozen camera. Checks are among `motion`, `blink` and `turn`; a
 * blink or turn counts also when nobody asked for it.
 * @param samples pictures of one face, in the order of time; those without 68 landmarks are passed over
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
