/**
 * Chooses the prompt after a picture, and the error of a capture without a good picture, from what was wrong with the
 * pictures. Held by test/sdk/capture-session.test.ts and test/sdk/capture-turns.test.ts.
 */
import { FaceSignInError } from '../errors.ts';
import type { Guide } from '../types.ts';
import { GUIDES, type Side } from './turns.ts';

/** What is wrong with a picture. */
export type Problem = Guide | 'no_face';

/** What the person still has to do. */
export interface Asked {
  /** For liveness, once there are enough pictures. */
  readonly check: 'blink' | 'turn' | null;
  /** For an enrollment. */
  readonly side: Side | null;
  /** Whether the head is turned too far, to a side that is still wanted. */
  readonly tooFar: boolean;
}

export function wantedGuide(problem: Problem | null, { check, side, tooFar }: Asked): Guide {
  if (problem === 'no_face') return 'look_here';
  // A person who has to move must not be asked to hold still.
  const moving = problem === 'face_front' || problem === 'hold_still';
  if (side !== null && side !== 'front' && (!problem || moving)) return tooFar ? 'turn_less' : GUIDES[side];
  if (check && (!problem || moving)) return check === 'blink' ? 'blink' : 'turn_head';
  return problem ?? 'look_here';
}

/** The error for the most frequent problem of the last pictures. */
export function noPicture(wrong: readonly (Problem | null)[]): FaceSignInError {
  const counts = new Map<Problem, number>();
  for (const one of wrong) if (one !== null) counts.set(one, (counts.get(one) ?? 0) + 1);
  const [most = 'no_face'] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  const codes = { one_person: 'several_faces', more_light: 'too_dark', come_closer: 'too_far' } as const;
  const code = most in codes ? codes[most as keyof typeof codes] : 'no_face';
  return new FaceSignInError(code, { detail: `no picture was good enough; most frequent problem: ${most}` });
}
