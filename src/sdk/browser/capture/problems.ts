/**
 * What may be wrong with a picture, and what the person is asked to do: one table of problems, each with the prompt
 * that it asks for and the error of an attempt that failed by it. The sentences are those of the prompt and of the
 * code. Held by test/sdk/capture-problems.test.ts and test/sdk/capture-select.test.ts.
 */
import { type DeviceErrorCode, FaceSignInError } from '../errors.ts';
import type { Guide } from '../types.ts';

/** The code of each problem, and its prompt. If two are as frequent, an attempt fails by the earlier one. */
export const PROBLEMS = {
  several_faces: 'one_person',
  backlit: 'face_the_light',
  too_dark: 'more_light',
  too_bright: 'less_light',
  too_near: 'go_back',
  too_far: 'come_closer',
  face_cut_off: 'move_into_frame',
  face_turned: 'face_front',
  moving: 'hold_still',
  blurred: 'clean_camera',
  face_unclear: 'show_face',
  no_face: 'look_here',
} as const satisfies Partial<Record<DeviceErrorCode, Guide>>;

export type Problem = keyof typeof PROBLEMS;

/** Problems that turning the head causes. A person who has to move must not be asked to hold still. */
const BY_MOVING: readonly (Problem | null)[] = [null, 'face_turned', 'moving', 'blurred', 'face_unclear'];

/** @param check what the person still has to do for liveness, once there are enough pictures */
export function wantedGuide(problem: Problem | null, check: 'blink' | 'turn' | null): Guide {
  if (check && BY_MOVING.includes(problem)) return check === 'blink' ? 'blink' : 'turn_head';
  return problem ? PROBLEMS[problem] : 'look_here';
}

export interface Tally {
  /** @param isFace whether the picture held a face */
  add(problem: Problem | null, isFace: boolean): void;
  readonly pictures: number;
  /** Why no picture of the whole attempt was good enough. */
  error(): FaceSignInError;
}

/** Counts the problems of an attempt. "No face" is said only if no picture held one. */
export function tally(): Tally {
  const counts = new Map<Problem, number>();
  let [pictures, faces] = [0, 0];
  const isPossible = (problem: Problem) => counts.has(problem) && !(problem === 'no_face' && faces > 0);
  return {
    add(problem, isFace) {
      pictures++;
      faces += Number(isFace);
      if (problem) counts.set(problem, (counts.get(problem) ?? 0) + 1);
    },
    get pictures() {
      return pictures;
    },
    error() {
      if (pictures === 0)
        return new FaceSignInError('camera_failed', { detail: 'the camera delivers no picture' });
      const order = (Object.keys(PROBLEMS) as Problem[]).filter(isPossible);
      const [code = 'no_face'] = order.sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
      const seen = [...counts].map(([problem, times]) => `${problem} ${times}`).join(', ');
      const detail = `no picture was good enough. Pictures: ${pictures}, with a face: ${faces}. Problems: ${seen}`;
      return new FaceSignInError(code, { detail });
    },
  };
}

/** The least time that a prompt stays, in milliseconds. */
const READABLE = 700;

export interface Prompter {
  /** @returns the prompt to show after a picture, taken at `time` (milliseconds), that asks for `wanted` */
  next(wanted: Guide, time: number): Guide;
  readonly shown: Guide;
}

/**
 * Keeps prompts from flickering: a new prompt appears when two pictures in a row ask for it, and stays long enough to
 * be read. If a face is found only in every other picture, or two problems take turns, the first one is shown and
 * stays.
 */
export function prompter(first: Guide = 'look_here'): Prompter {
  let shown = first;
  let since = Number.NEGATIVE_INFINITY;
  let asked: readonly [Guide, Guide] = [first, first];
  return {
    get shown() {
      return shown;
    },
    next(wanted, time) {
      const [earlier, last] = asked;
      const takesTurns = wanted === earlier && (shown === 'look_here' || shown !== last);
      const again = wanted === last || takesTurns;
      asked = [last, wanted];
      if (wanted !== shown && (wanted === 'done' || (again && time - since >= READABLE))) {
        shown = wanted;
        since = time;
      }
      return shown;
    },
  };
}
