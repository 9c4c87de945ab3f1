/**
 * What the domain asks of face matching. One gallery holds the templates of one app in one mode, and states the
 * gallery sequence (see ports/store) that it reflects. The matcher knows only numbers: a template by the sequence at which
 * it was stored, a user by the sequence of the first template of their enrolment. Neither is ever used again. Searches are
 * exact: the answer is the one that the float64 reference gives (distance = 1 - dot product of the stored float32 vectors,
 * summed in double in index order).
 *
 * Guarantees of every implementation, held by test/matcher:
 * - calls for one gallery take effect in the order in which they were made;
 * - a removed template's bytes are gone from memory when the promise of `apply` resolves, a dropped gallery's when
 *   that of `drop` does;
 * - no search runs on the caller's thread.
 */
import type { Mode } from '../protocol/mode.ts';
import type { TemplateRows } from './template-rows.ts';

export { DIMENSIONS, type GalleryTemplate } from './template-rows.ts';

export interface GalleryKey {
  readonly appId: string;
  readonly mode: Mode;
}

/** Step from sequence `from` (0: an empty gallery) to `to`. Removals are applied before additions. */
export interface GalleryChanges {
  readonly from: number;
  readonly to: number;
  /** Sequences of templates; unknown ones are ignored. */
  readonly removed: readonly number[];
  /** In the order in which they were stored. `Matcher.apply` takes the buffers over. */
  readonly added: TemplateRows;
  /** Removals of this step are not known any more: who stands at `from` has to begin anew. */
  readonly isBroken?: boolean;
  /** Sequences of templates of this step that do not open: they are not among the added ones. Nothing to the matcher. */
  readonly unreadable?: readonly number[];
}

/**
 * - `match`: distance below the threshold, and no other user nearer than distance + margin.
 * - `ambiguous`: distance below the threshold, but another user lies inside the margin.
 * - `near`: distance at or above the threshold, but below threshold + margin.
 * - `none`: anything farther, and the empty gallery.
 */
export type Verdict = 'match' | 'ambiguous' | 'near' | 'none';

export interface SearchResult {
  /** The sequence that the searched gallery reflected. */
  readonly sequence: number;
  readonly verdict: Verdict;
  /**
   * User (by number) and distance of the nearest template over all probes; on equal distances the one stored first. Null
   * when the verdict is `none`.
   */
  readonly best: { readonly user: number; readonly distance: number } | null;
  /** Distance of the nearest template of any other user than `best.user`; null unless the verdict is `ambiguous`. */
  readonly otherDistance: number | null;
  /** The probes as they would be stored: normalised in double precision, rounded to float32. */
  readonly normalised: readonly Float32Array[];
}

/** Matching cannot be done now: no memory for a gallery, a worker ended, the matcher is closed. */
export class MatcherUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MatcherUnavailable';
  }
}

export interface MatcherStats {
  /** Bytes that hold galleries now, free space inside their blocks included. */
  readonly bytes: number;
  readonly galleries: readonly {
    readonly key: GalleryKey;
    readonly templates: number;
    readonly bytes: number;
  }[];
}

/** How the workers are. */
export interface MatcherWork {
  /** Workers that take searches, of so many that there should be. */
  readonly alive: number;
  readonly workers: number;
  /** Workers that have ended by themselves since the start. */
  readonly deaths: number;
  /** Searches and changes that wait or are under way. */
  readonly pending: number;
}

export interface Matcher {
  /** The sequence that the gallery will reflect once the calls made so far took effect; 0 when it is not loaded. */
  sequence(key: GalleryKey): number;
  /**
   * Creates the gallery when `changes.from` is 0. Rejects, and changes nothing, when `from` is not `sequence(key)`, `to`
   * is not greater, an added template is there already (and not among the removed) or its squared norm is farther than
   * 1e-6 from 1.
   *
   * The buffers of `changes.added` are handed over with the call, whatever becomes of it: they are transferred to the
   * worker, which erases them. The caller must not use them afterwards.
   */
  apply(key: GalleryKey, changes: GalleryChanges): Promise<void>;
  /**
   * Searches for 1 to 5 probes (128 finite numbers each, any scale whose norm is at least 1e-6) in one pass.
   * A gallery that is not loaded is searched as an empty one, with sequence 0.
   * @param margin in place of the configured one, for this search: with a wider one `ambiguous` and `otherDistance` cover
   * everybody else who is nearer than best + margin, and the caller decides by the distances
   */
  search(key: GalleryKey, probes: readonly (readonly number[])[], margin?: number): Promise<SearchResult>;
  /** Forgets the gallery and zeroes its memory. Dropping what is not loaded does nothing. */
  drop(key: GalleryKey): Promise<void>;
  stats(): MatcherStats;
  work(): MatcherWork;
  /** Ends the workers; calls under way reject with MatcherUnavailable. */
  close(): Promise<void>;
}
