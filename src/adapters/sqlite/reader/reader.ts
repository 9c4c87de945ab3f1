/**
 * Reads galleries in threads, because decrypting a million templates takes seconds of processor time. A few pages are
 * read ahead; pages that are not taken are erased.
 *
 * Pages may be read independently and in any order, because none goes beyond the sequence at the start. A removal
 * during the read has a later number: if its template was read, later changes remove it; if not, nothing is lost.
 *
 * Held by test/sqlite/gallery-reader.test.ts.
 */
import type { GalleryChanges } from '../../../ports/matcher.ts';
import { eraseRows } from '../../../ports/template-rows.ts';
import { opening } from '../../secrets/sealing.ts';
import type { GalleryReader } from '../../sql/gallery-reader.ts';
import { createThreads, type ThreadOptions } from './threads.ts';

/** Changes per page: enough that messages cost little, few enough that searches run in between. */
const PAGE = 4_096;
/** More threads would only compete with the matcher's worker and the event loop. */
const MOST_THREADS = 2;
/** Pages requested ahead per thread: one to work on, and the next one. */
const AHEAD = 2;

interface ReaderOptions extends Omit<ThreadOptions, 'isGentle' | 'most'> {
  readonly pageSize?: number;
}

export function createGalleryReader(options: ReaderOptions): GalleryReader {
  const { pageSize = PAGE } = options;
  const loads = createThreads({ ...options, isGentle: false, most: MOST_THREADS });
  // One at a time: a search is for an operator's page, and sign-ins must neither wait for it nor for the processor.
  const searches = createThreads({ ...options, isGentle: true, most: 1 });

  return {
    count: async range => loads.thread().count(range),
    searchUsers: (search, keys) =>
      opening(keys, async opener => searches.thread().searchUsers(search, opener)),

    async *pages({ gallery, since, to }, keys) {
      // A load from the beginning does not need the removals up to `to`.
      const withRemoved = since > 0;
      const ahead: Promise<GalleryChanges>[] = [];
      let next = since;
      try {
        while (next < to || ahead.length > 0) {
          while (next < to && ahead.length < AHEAD * MOST_THREADS) {
            const end = Math.min(to, next + pageSize);
            const range = { gallery, since: next, to: end };
            const page = opening(keys, opener => loads.thread().page(range, opener, withRemoved));
            // A failure is thrown when the page is taken, which may be never.
            page.catch(() => undefined);
            ahead.push(page);
            next = end;
          }
          const page = await (ahead.shift() as Promise<GalleryChanges>);
          if (page.to === 0) return;
          yield page;
        }
      } finally {
        for (const page of ahead) page.then(({ added }) => eraseRows(added)).catch(() => undefined);
      }
    },

    async close() {
      await Promise.all([loads.close(), searches.close()]);
    },
  };
}
