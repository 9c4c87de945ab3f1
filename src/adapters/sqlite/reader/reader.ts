/**
 * Reads galleries in threads, because decrypting a million templates takes seconds of processor time. Threads start
 * with the first job, share the work, and end when idle. A few pages are read ahead; pages that are not taken are
 * erased.
 *
 * Pages may be read independently and in any order, because none goes beyond the sequence at the start. A removal
 * during the read has a later number: if its template was read, later changes remove it; if not, nothing is lost.
 *
 * Held by test/sqlite/gallery-reader.test.ts.
 */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { GalleryChanges } from '../../../ports/matcher.ts';
import { eraseRows } from '../../../ports/template-rows.ts';
import { opening } from '../../secrets/sealing.ts';
import type { GalleryReader } from '../../sql/gallery-reader.ts';
import type { ThreadSettings } from './messages.ts';
import { ReaderThread } from './reader-thread.ts';

/** Changes per page: enough that messages cost little, few enough that searches run in between. */
const PAGE = 4_096;
/** More threads would only compete with the matcher's worker and the event loop. */
const MOST_THREADS = 2;
/** Pages requested ahead per thread: one to work on, and the next one. */
const AHEAD = 2;
const IDLE_MS = 10_000;

export interface ReaderOptions extends ThreadSettings {
  readonly pageSize?: number;
  readonly idleMs?: number;
  /** For tests: called with each new thread. */
  readonly onThread?: (thread: Worker) => void;
}

export function createGalleryReader(options: ReaderOptions): GalleryReader {
  const { pageSize = PAGE, idleMs = IDLE_MS } = options;
  let threads: ReaderThread[] = [];
  let idle: NodeJS.Timeout | undefined;
  /** Threads that are ending. */
  const ending = new Set<Promise<void>>();
  let isClosed = false;

  /** The thread with the fewest jobs. Threads that have ended by themselves are dropped: their jobs have failed. */
  function thread(): ReaderThread {
    if (isClosed) throw ReaderThread.closed();
    clearTimeout(idle);
    idle = setTimeout(endThreads, idleMs).unref();
    threads = threads.filter(one => !one.hasEnded);
    const free = threads.reduce<ReaderThread | undefined>(
      (least, one) => (least && least.jobs <= one.jobs ? least : one),
      undefined,
    );
    if (free && (free.jobs === 0 || threads.length >= Math.min(MOST_THREADS, availableParallelism())))
      return free;
    const started = new ReaderThread(options, options.onThread);
    threads.push(started);
    return started;
  }

  function endThreads(): void {
    if (threads.some(one => one.jobs > 0)) {
      idle = setTimeout(endThreads, idleMs).unref();
      return;
    }
    for (const one of threads) {
      const ended = one.end().finally(() => ending.delete(ended));
      ending.add(ended);
    }
    threads = [];
  }

  return {
    count: async range => thread().count(range),
    searchUsers: async search => thread().searchUsers(search),

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
            const page = opening(keys, (ring, isLast) => thread().page(range, ring, { withRemoved, isLast }));
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
      isClosed = true;
      clearTimeout(idle);
      await Promise.all([...threads.map(one => one.end()), ...ending]);
    },
  };
}
