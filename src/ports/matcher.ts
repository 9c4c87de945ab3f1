/**
 * Face matching, as the domain uses it. A gallery holds the templates of one app in one mode, and has the gallery
 * sequence (see ports/store) that it reflects. The matcher knows only numbers. It identifies a template by the
 * sequence at which it was stored, and a user by the sequence of the first template of their enrolment. Neither
 * number is ever reused. Searches are exact: the result is that of the float64 reference (distance = 1 - dot product
 * of the stored float32 vectors, summed in double precision in index order).
 *
 * Guarantees of every implementation, held by test/matcher:
 * - calls for one gallery take effect in the order of the calls;
 * - when the promise of `apply` resolves, the bytes of removed templates are gone from memory; the same holds for
 *   `drop` and the whole gallery;
 * - no search runs on the caller's thread.
 */
import type { Mode } from '../protocol/mode.ts';
import type { TemplateRows } from './template-rows.ts';

export { DIMENSIONS, type GalleryTemplate } from './template-rows.ts';

export interface GalleryKey {
  readonly appId: string;
  readonly mode: Mode;
}

/** A step from sequence `from` (0: an empty gallery) to `to`. Removals are applied before additions. */
export interface GalleryChanges {
  readonly from: number;
  readonly to: number;
  /** Sequences of templates; unknown ones are ignored. */
  readonly removed: readonly number[];
  /** In the order of storing. `Matcher.apply` takes ownership of the buffers. */
  readonly added: TemplateRows;
  /** Some removals of this step are no longer known. A gallery at `from` must be loaded again from 0. */
  readonly isBroken?: boolean;
  /**
   * Sequences of templates in this step that cannot be decrypted. They are not in `added`, and the matcher ignores
   * them.
   */
  readonly unreadable?: readonly number[];
}

/**
 * - `match`: distance below the threshold, and no other user closer than distance + margin.
 * - `ambiguous`: distance below the threshold, but another user is within the margin.
 * - `near`: distance at or above the threshold, but below threshold + margin.
 * - `none`: anything farther away, or an empty gallery.
 */
export type Verdict = 'match' | 'ambiguous' | 'near' | 'none';

export interface SearchResult {
  /** The sequence of the gallery when it was searched. */
  readonly sequence: number;
  readonly verdict: Verdict;
  /**
   * User number and distance of the nearest template over all probes. If distances are equal, the template stored
   * first wins. Null if the verdict is `none`.
   */
  readonly best: { readonly user: number; readonly distance: number } | null;
  /** Distance of the nearest template of any user except `best.user`. Null unless the verdict is `ambiguous`. */
  readonly otherDistance: number | null;
  /** The probes as they would be stored: normalised in double precision, rounded to float32. */
  readonly normalised: readonly Float32Array[];
}

/** Matching is not possible now: no memory for a gallery, a worker ended, or the matcher is closed. */
export class MatcherUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'MatcherUnavailable';
  }
}

export interface MatcherStats {
  /** Bytes used by galleries, including free space inside their blocks. */
  readonly bytes: number;
  readonly galleries: readonly {
    readonly key: GalleryKey;
    readonly templates: number;
    readonly bytes: number;
  }[];
}

/** The state of the workers. */
export interface MatcherWork {
  /** Workers that accept searches, and how many there should be. */
  readonly alive: number;
  readonly workers: number;
  /** Workers that ended unexpectedly since the start. */
  readonly deaths: number;
  /** Searches and changes that are waiting or running. */
  readonly pending: number;
}

export interface Matcher {
  /** The sequence that the gallery will have after all calls made so far. 0 if it is not loaded. */
  sequence(key: GalleryKey): number;
  /**
   * Creates the gallery if `changes.from` is 0. Rejects and changes nothing if `from` is not `sequence(key)`, if `to`
   * is not greater, if an added template already exists (and is not among the removed ones), or if its squared norm
   * differs from 1 by more than 1e-6.
   *
   * The call takes ownership of the buffers of `changes.added`, whether or not it succeeds. They are transferred to
   * the worker, which erases them. The caller must not use them afterwards.
   */
  apply(key: GalleryKey, changes: GalleryChanges): Promise<void>;
  /**
   * Searches for 1 to 5 probes in one pass. Each has 128 finite numbers and a norm of at least 1e-6, at any scale. A
   * gallery that is not loaded is searched as an empty one, with sequence 0.
   * @param margin replaces the configured margin for this search. With a wider one, `ambiguous` and `otherDistance`
   * cover everyone else who is closer than best + margin, and the caller decides by the distances
   */
  search(key: GalleryKey, probes: readonly (readonly number[])[], margin?: number): Promise<SearchResult>;
  /** Removes the gallery and zeroes its memory. Does nothing if it is not loaded. */
  drop(key: GalleryKey): Promise<void>;
  stats(): MatcherStats;
  work(): MatcherWork;
  /** Stops the workers. Running calls reject with MatcherUnavailable. */
  close(): Promise<void>;
}
