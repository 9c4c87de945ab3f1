/**
 * Messages between the pool and a worker. One Batch carries all calls of one turn of the event loop, and one Answer
 * settles them: with 64 searches per turn, 64 share the cost of a message. Numbers travel as flat typed arrays whose
 * buffers are transferred, not copied. Types only; held by test/matcher/pool.test.ts and perform.test.ts.
 */
import type { TemplateRows } from '../../ports/template-rows.ts';

export interface Batch {
  /** Calls in order, two numbers each: gallery number (0: none) and probes. 0 probes: the next of `changes`. */
  readonly calls: readonly number[];
  /** Probes of all searches, 128 numbers each. */
  readonly probes: Float64Array<ArrayBuffer>;
  readonly changes: readonly (Change | 'drop')[];
  /** The margin of each search. Null, or no list at all: the configured margin. */
  readonly margins?: readonly (number | null)[] | undefined;
  /** Whether other workers were asked to help with the searches of this batch. */
  readonly helped: boolean;
}

export interface Change {
  readonly from: number;
  readonly to: number;
  readonly removed: readonly number[];
  readonly added: TemplateRows;
}

/** Asks a worker to help another one until that one has answered `batches` batches in all. */
export interface HelpRequest {
  /** Number of the other worker. */
  readonly owner: number;
  readonly batches: number;
  /** Memory of the other worker. Only in the first request for it. */
  readonly memory?: WebAssembly.Memory;
}

/**
 * How many numbers each search has in `Answer.numbers`: rejected probe (0: none), sequence, verdict, distance, other
 * distance, user (0: nobody).
 */
export const NUMBERS = 6;

export interface Answer {
  readonly numbers: Float64Array<ArrayBuffer>;
  /** The probes, normalised. */
  readonly units: Float32Array<ArrayBuffer>;
  readonly outcomes: readonly Outcome[];
}

/** The outcome of a change, and the gallery after it. */
export interface Outcome {
  readonly error?: string;
  readonly sequence: number;
  readonly templates: number;
  readonly bytes: number;
}
