/**
 * The interface of an engine of the search bench. Each engine is a module in engines/, listed in engines/all.ts. One
 * that is not installed throws `Missing` and is left out.
 */
import type { Verdict } from '../src/ports/matcher.ts';
import type { Asked } from './search/expected.ts';
import type { Gallery } from './search/gallery.ts';
import type { Tuning } from './search/trials.ts';

export const THRESHOLD = 0.35;
export const MARGIN = 0.04;

export interface Answer {
  /** Number of the best template; -1 for none. */
  readonly template: number;
  readonly distance: number;
  /** Of the best other user, if the engine reports it. */
  readonly otherDistance?: number;
  readonly verdict?: Verdict;
}

/**
 * What an engine promises. `core`: decision, template and distance are the reference's. `exact`: the template is,
 * except for rounding. `approximate`: nothing, its recall is measured. `limit`: not a search, only its memory traffic
 * and arithmetic.
 */
export type Rule = 'core' | 'exact' | 'approximate' | 'limit';

/** One turn: searches one after another, given as indices of `queries`. Those of `order` are timed one by one. */
export interface Turn {
  readonly queries: readonly Asked[];
  /** Untimed searches, which bring the gallery back into the caches after the turns of other engines. */
  readonly warmUp: readonly number[];
  readonly order: readonly number[];
  /** Whether the caches are emptied before every search. */
  readonly cold: boolean;
}

export interface Timed {
  readonly ms: number;
  readonly answer: Answer;
}

export interface Upkeep {
  /** Microseconds per template. */
  readonly add_us?: number;
  readonly remove_us?: number;
}

export interface Work {
  /** Templates whose coarse code was scored. */
  readonly scanned: number;
  /** Those of them that a finer code had to decide. */
  readonly refined: number;
  /** Those of them that were compared exactly. */
  readonly exact: number;
}

export interface Engine {
  readonly name: string;
  /** Distinguishes it from others of the same name; empty for most. */
  readonly settings: string;
  readonly threads: number;
  readonly rule: Rule;
  /** Version and build. */
  readonly about: string;
  /** Memory for the gallery; null if the engine does not report it. */
  readonly bytes: number | null;
  /** Time to load the whole gallery, or to build the index; of a cached graph, when it was built. */
  readonly load_s: number;
  turn(turn: Turn): Promise<Timed[]>;
  /** The exact answers, found in one batch and not timed. */
  decide?(queries: readonly Asked[]): Promise<Answer[]>;
  /** Work since the last call, in templates times searches. It does not depend on the machine. */
  work?(): Work;
  /** Adds these templates one by one and removes them again, so that the gallery stays the same. */
  upkeep?(extra: Float32Array): Promise<Upkeep>;
  close(): void | Promise<void>;
}

export interface Requested {
  readonly names: ReadonlySet<string>;
  /** For the engines that have a choice. */
  readonly settings: readonly Tuning[];
}

export interface Maker {
  /** Names of the engines that it makes. */
  readonly names: readonly string[];
  /** Larger galleries take it too long: it is left out. */
  readonly most?: number;
  /** @throws Missing when it is not installed */
  make(gallery: Gallery, requested: Requested): Promise<Engine[]>;
}

/** Normalised in double, rounded to float32. */
export function unit(values: readonly number[]): Float32Array {
  let sum = 0;
  for (const x of values) sum += x * x;
  const norm = Math.sqrt(sum);
  return Float32Array.from(values, x => x / norm);
}
