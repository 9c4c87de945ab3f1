/**
 * The good pictures of a capture, and which of them are taken: the best ones that lie apart in time, since neighbours
 * say the same. Holds descriptors and numbers only, never a picture. Held by test/sdk/capture-select.test.ts.
 */

export interface Candidate {
  /** Milliseconds. */
  readonly time: number;
  /** 0 to 1. */
  readonly quality: number;
  readonly descriptor: readonly number[];
}

/** Least time between two that are taken, in milliseconds. */
export const APART = 250;

/** At most `count`, best first by quality, at least `apart` ms from each other; in the order of time. */
export function select(candidates: readonly Candidate[], count: number, apart = APART): Candidate[] {
  const taken: Candidate[] = [];
  for (const one of [...candidates].sort((a, b) => b.quality - a.quality || a.time - b.time)) {
    if (taken.length === count) break;
    if (taken.every(other => Math.abs(other.time - one.time) >= apart)) taken.push(one);
  }
  return taken.sort((a, b) => a.time - b.time);
}

/** Without those that are exactly like an earlier one: a frozen camera's second picture adds nothing. */
export function distinct(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter((one, i) =>
    candidates.slice(0, i).every(other => other.descriptor.some((value, at) => value !== one.descriptor[at])),
  );
}
