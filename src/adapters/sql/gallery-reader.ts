/**
 * Reads large parts of galleries for the store, a page at a time. Pages are small, because they are opened on the event
 * loop, and others have their turn between two of them. Held by test/contract/galleries.ts and
 * test/http/gallery-loading.long.test.ts.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { GalleryChanges, GalleryKey } from '../../ports/matcher.ts';
import { type Keys, opening } from '../secrets/sealing.ts';
import type { Sql } from './driver.ts';
import { gallerySequence, removalsBetween, templatesBetween } from './store/galleries.ts';
import { openTemplates } from './store/sealed-templates.ts';

/** A part of a gallery's changes: those after `since` and up to `to`. */
export interface Range {
  readonly gallery: GalleryKey;
  readonly since: number;
  readonly to: number;
}

/** Changes per page: opening one takes a few milliseconds. */
export const PAGE_ROWS = 512;

/**
 * Yields the range page by page, in order. Ends early if the gallery is erased meanwhile.
 * @param range must end at a sequence that the gallery had reached before the call
 * @throws StoreUnavailable
 */
export async function* readPages(
  sql: Sql,
  { gallery, since, to }: Range,
  keys: Keys,
): AsyncGenerator<GalleryChanges, void, void> {
  const withRemoved = since > 0;
  const readFrom = (from: number) => {
    const page = pageRows(sql, { gallery, since: from, to: Math.min(to, from + PAGE_ROWS) }, withRemoved);
    // A failure is thrown when the page is taken, which may be never.
    page.catch(() => undefined);
    return page;
  };
  let ahead = since < to ? readFrom(since) : null;
  for (let from = since; ahead; from += PAGE_ROWS) {
    const rows = await ahead;
    const end = Math.min(to, from + PAGE_ROWS);
    ahead = end < to ? readFrom(end) : null;
    if (!rows) return;
    await turn();
    yield await opening(keys, async (opener): Promise<GalleryChanges> => {
      const { rows: added, unreadable } = openTemplates(opener, gallery, rows.sealed);
      return { from, to: end, ...rows.removals, added, unreadable };
    });
  }
}

/** The rows of one page, still sealed. Null: the gallery was erased. */
async function pageRows(sql: Sql, { gallery, since, to }: Range, withRemoved: boolean) {
  const sealed = await templatesBetween(sql, gallery, since, to, to - since);
  const removals = withRemoved ? await removalsBetween(sql, gallery, since, to) : { removed: [] };
  // Last: a gallery that is whole now was whole when its rows were read.
  return (await gallerySequence(sql, gallery)) < to ? null : { sealed, removals };
}
