/**
 * Messages between the pool and a worker. One Batch carries every call that was made in one turn of the event loop,
 * one Answer settles them all: at 64 searches a turn the cost of a message is shared by 64. Rows of numbers travel as
 * flat typed arrays whose buffers change hands, so nothing is copied twice. Types only; held by what link.ts and
 * perform.ts do with them (test/matcher/pool.test.ts, perform.test.ts).
 */

export interface Batch {
  /** Calls in order, two numbers each: gallery number (0: none) and probes; 0 probes take the next of `changes`. */
  readonly calls: readonly number[];
  /** Probes of all searches, 128 numbers each. */
  readonly probes: Float64Array<ArrayBuffer>;
  readonly changes: readonly (Change | 'drop')[];
}

export interface Change {
  readonly from: number;
  readonly to: number;
  readonly removed: readonly string[];
  readonly ids: readonly string[];
  /** User of each added template. */
  readonly users: readonly string[];
  /** The added templates, 128 numbers each. */
  readonly vectors: Float32Array<ArrayBuffer>;
}

/** Numbers of one search in `Answer.numbers`: refused probe (0: none), sequence, verdict, distance, other distance. */
export const NUMBERS = 5;

export interface Answer {
  readonly numbers: Float64Array<ArrayBuffer>;
  /** User and template of each search; empty strings where there is none. */
  readonly names: readonly string[];
  /** The probes, normalised. */
  readonly units: Float32Array<ArrayBuffer>;
  readonly outcomes: readonly Outcome[];
}

/** What became of a change, and the gallery after it. */
export interface Outcome {
  readonly error?: string;
  readonly sequence: number;
  readonly templates: number;
  readonly bytes: number;
}
