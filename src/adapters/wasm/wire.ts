/**
 * Messages between the pool and a worker. One Batch carries every call that was made in one turn of the event loop,
 * one Answer settles them all: at 64 searches a turn the cost of a message is shared by 64. Rows of numbers travel as
 * flat typed arrays whose buffers change hands, so nothing is copied twice. Types only; held by what link.ts and
 * perform.ts do with them (test/matcher/pool.test.ts, perform.test.ts).
 */
import type { TemplateRows } from '../../ports/template-rows.ts';

export interface Batch {
  /** Calls in order, two numbers each: gallery number (0: none) and probes; 0 probes take the next of `changes`. */
  readonly calls: readonly number[];
  /** Probes of all searches, 128 numbers each. */
  readonly probes: Float64Array<ArrayBuffer>;
  readonly changes: readonly (Change | 'drop')[];
  /** The margin of each search, null where it is the configured one; absent where it is for all of them. */
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

/** Asks a worker to help another one, whose memory it has been given, until that one has answered so many batches. */
export interface Plea {
  /** Number of the other worker. */
  readonly owner: number;
  readonly batches: number;
  /** With the first plea for this memory. */
  readonly memory?: WebAssembly.Memory;
}

/** Numbers of one search in `Answer.numbers`: refused probe (0: none), sequence, verdict, distance, other distance, user (0: nobody). */
export const NUMBERS = 6;

export interface Answer {
  readonly numbers: Float64Array<ArrayBuffer>;
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
