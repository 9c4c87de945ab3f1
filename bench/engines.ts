/**
 * What the search trial knows of an engine. One module each in engines/, listed in engines/all.ts; an engine that is not
 * installed here says so by `Missing`, and is left out.
 */
import type { Verdict } from '../src/ports/matcher.ts';
import type { Query } from './search/expected.ts';
import type { Gallery } from './search/gallery.ts';
import type { GraphSettings } from './search/graphs.ts';

export const THRESHOLD = 0.35;
export const MARGIN = 0.04;

export interface Answer {
  /** Number of the best template; -1 for none. */
  readonly template: number;
  readonly distance: number;
  /** Of the best other user, where the engine tells it. */
  readonly otherDistance?: number;
  readonly verdict?: Verdict;
}

/**
 * What an engine is held to. `core`: decision, template and distance are the reference's. `exact`: the template is, but
 * for rounding. `approximate`: recall is told. `limit`: not a search, only its memory traffic and arithmetic.
 */
export type Rule = 'core' | 'exact' | 'approximate' | 'limit';

/** One turn: searches by their numbers in `queries`, one after another, those of `order` timed each by itself. */
export interface Turn {
  readonly queries: readonly Query[];
  /** Searches that are not timed and bring the gallery back into the caches that others' turns took. */
  readonly before: readonly number[];
  readonly order: readonly number[];
  /** Empties the caches before every search. */
  readonly cold: boolean;
}

export interface Timed {
  readonly ms: number;
  readonly answer: Answer;
}

export interface Upkeep {
  /** Microseconds for one template. */
  readonly add_us?: number;
  readonly remove_us?: number;
}

export interface Work {
  /** Templates whose coarse code was scored. */
  readonly scanned: number;
  /** Of those the ones that a finer code had to decide. */
  readonly refined: number;
  /** Of those the ones that were compared exactly. */
  readonly exact: number;
}

export interface Engine {
  readonly name: string;
  /** What tells it from others of the same name; empty for most. */
  readonly settings: string;
  readonly threads: number;
  readonly rule: Rule;
  /** Version and build. */
  readonly about: string;
  /** Bytes that it holds for the gallery. */
  readonly bytes: number;
  /** How long it took to take in the whole gallery, on how many threads; for a graph from the cache, when it was built. */
  readonly load_s: number;
  turn(turn: Turn): Promise<Timed[]>;
  /** Work done since the last call, in templates times searches; it does not depend on the machine. */
  work?(): Work;
  /** Adds these templates one by one and removes them again; leaves the gallery as it was. */
  upkeep?(extra: Float32Array): Promise<Upkeep>;
  close(): void | Promise<void>;
}

export interface Wanted {
  readonly names: ReadonlySet<string>;
  /** Graphs of HNSW engines that this size of gallery shall have. */
  readonly graphs: GraphSettings;
}

export interface Maker {
  /** Of the engines that it makes. */
  readonly names: readonly string[];
  /** @throws Missing when it is not installed */
  make(gallery: Gallery, wanted: Wanted): Promise<Engine[]>;
}

/** Normalised in double, rounded to float32. */
export function unit(values: readonly number[]): Float32Array {
  let sum = 0;
  for (const x of values) sum += x * x;
  const norm = Math.sqrt(sum);
  return Float32Array.from(values, x => x / norm);
}
