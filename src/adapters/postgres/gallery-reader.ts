/**
 * Reads galleries from PostgreSQL, a page ahead of the one that is opened. Pages are small, because they are opened on
 * the event loop. Held by test/contract.
 */
import type { GalleryChanges } from '../../ports/matcher.ts';
import { opening } from '../secrets/sealing.ts';
import type { Sql } from '../sql/driver.ts';
import { type GalleryReader, pageRows } from '../sql/gallery-reader.ts';
import { countBetween } from '../sql/store/galleries.ts';
import { openTemplates } from '../sql/store/sealed-templates.ts';
import { searchUsers } from '../sql/store/user-search.ts';

/** Changes per page: opening one takes a few milliseconds. */
export const PAGE_ROWS = 1_024;

export function createPostgresReader(sql: Sql): GalleryReader {
  return {
    count: ({ gallery, since, to }) => countBetween(sql, gallery, since, to),

    async *pages({ gallery, since, to }, keys) {
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
        yield await opening(keys, async (opener): Promise<GalleryChanges> => {
          const { rows: added, unreadable } = openTemplates(opener, gallery, rows.sealed);
          return { from, to: end, ...rows.removals, added, unreadable };
        });
      }
    },

    searchUsers: (search, keys) => opening(keys, opener => searchUsers(sql, opener, search)),

    close: async () => undefined,
  };
}
