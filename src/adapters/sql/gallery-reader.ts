/**
 * Reads large parts of galleries for the store. How an engine does that is its own affair: SQLite reads and opens them on
 * threads (sqlite/reader). Held by test/sqlite/gallery-reader.test.ts.
 */
import type { GalleryChanges, GalleryKey } from '../../ports/matcher.ts';
import type { Keys } from '../secrets/sealing.ts';

/** A part of a gallery's changes: those after `since` and up to `to`. */
export interface Range {
  readonly gallery: GalleryKey;
  readonly since: number;
  readonly to: number;
}

export interface GalleryReader {
  /** How many templates the range adds. @throws StoreUnavailable */
  count(range: Range): Promise<number>;
  /**
   * The range page by page, in order. Ends early when the gallery is erased meanwhile.
   * @param range begins where the taker stands and ends at a sequence that the gallery had reached before the call
   * @throws StoreUnavailable
   */
  pages(range: Range, keys: Keys): AsyncGenerator<GalleryChanges, void, void>;
  /** Ends what reads; what is still wanted of it rejects with StoreUnavailable. */
  close(): Promise<void>;
}
