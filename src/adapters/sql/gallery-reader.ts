/**
 * Reads large parts of galleries for the store. Each engine has its own way: SQLite reads in threads, which also
 * decrypt what they read (sqlite/reader). What a page has is read in the same way.
 * Held by test/sqlite/gallery-reader.test.ts.
 */
import type { GalleryChanges, GalleryKey } from '../../ports/matcher.ts';
import type { PlacedUser, UserOrder, UserPosition } from '../../ports/store.ts';
import type { Keys } from '../secrets/sealing.ts';
import type { Sql } from './driver.ts';
import { gallerySequence, removalsBetween, templatesBetween } from './store/galleries.ts';

/** A part of a gallery's changes: those after `since` and up to `to`. */
export interface Range {
  readonly gallery: GalleryKey;
  readonly since: number;
  readonly to: number;
}

/** A page of the users whose address or name contains a text. */
export interface UserSearch {
  readonly gallery: GalleryKey;
  readonly contains: string;
  readonly after: UserPosition | null;
  readonly limit: number;
  readonly order: UserOrder;
}

export interface GalleryReader {
  /** How many templates the range adds. @throws StoreUnavailable */
  count(range: Range): Promise<number>;
  /**
   * Yields the range page by page, in order. Ends early if the gallery is erased meanwhile.
   * @param range must end at a sequence that the gallery had reached before the call
   * @throws StoreUnavailable
   */
  pages(range: Range, keys: Keys): AsyncGenerator<GalleryChanges, void, void>;
  /** Looks through all users of the gallery if it must. @throws StoreUnavailable */
  searchUsers(search: UserSearch, keys: Keys): Promise<PlacedUser[]>;
  /** Stops reading. Pending calls reject with StoreUnavailable. */
  close(): Promise<void>;
}

/** The rows of one page, still sealed. Null: the gallery was erased. */
export async function pageRows(sql: Sql, { gallery, since, to }: Range, withRemoved: boolean) {
  const sealed = await templatesBetween(sql, gallery, since, to, to - since);
  const removals = withRemoved ? await removalsBetween(sql, gallery, since, to) : { removed: [] };
  // Last: a gallery that is whole now was whole when its rows were read.
  return (await gallerySequence(sql, gallery)) < to ? null : { sealed, removals };
}
