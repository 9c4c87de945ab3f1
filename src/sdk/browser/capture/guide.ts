/**
 * Keeps prompts from flickering: a new prompt appears when two pictures in a row ask for it, and stays long enough to
 * be read. If a face is found only in every other picture, or two problems take turns, the first one is shown and
 * stays. Held by test/sdk/capture-select.test.ts.
 */
import type { Guide } from '../types.ts';

/** The least time that a prompt stays, in milliseconds. */
const READABLE = 700;

export interface Prompter {
  /** @returns the prompt to show after a picture, taken at `time` (milliseconds), that asks for `wanted` */
  next(wanted: Guide, time: number): Guide;
  readonly shown: Guide;
}

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
