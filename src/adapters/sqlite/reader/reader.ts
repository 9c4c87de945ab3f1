/**
 * Reads galleries beside the event loop: opening a million templates takes seconds of a processor. Threads are started
 * with the first job, share what there is to do, and are ended when there was nothing for a while. Pages are read ahead
 * of whoever takes them, by a few and no more; pages that nobody takes are erased.
 *
 * Pages may be read in any order, and each by itself, because none goes beyond the sequence at the beginning: what is
 * removed later has a later number, so a template that is seen although it was removed meanwhile is named by changes
 * that are still to come, and one that is not seen is missed by nobody.
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

/** Changes in a page: large enough that its messages cost nothing, small enough that searches come in between. */
const PAGE = 4_096;
/** More would only take turns with the matcher's worker and the event loop. */
const MOST_THREADS = 2;
/** Pages asked for at once, for each thread: one to work on, one to go on with. */
const AHEAD = 2;
const IDLE_MS = 10_000;

export interface ReaderOptions extends ThreadSettings {
  readonly pageSize?: number;
  readonly idleMs?: number;
  /** Called with every thread that is started, for tests. */
  readonly onThread?: (thread: Worker) => void;
}

export function createGalleryReader(options: ReaderOptions): GalleryReader {
  const { pageSize = PAGE, idleMs = IDLE_MS } = options;
  let threads: ReaderThread[] = [];
  let idle: NodeJS.Timeout | undefined;
  /** Threads that were told to end. */
  const ending = new Set<Promise<void>>();
  let isClosed = false;

  /** The thread that has least to do. One that has ended by itself is forgotten: what it had to do has failed. */
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

    async *pages({ gallery, since, to }, keys) {
      // From nothing on, there is nobody to whom a removal up to `to` would say anything.
      const withRemoved = since > 0;
      const ahead: Promise<GalleryChanges>[] = [];
      let next = since;
      try {
        while (next < to || ahead.length > 0) {
          while (next < to && ahead.length < AHEAD * MOST_THREADS) {
            const end = Math.min(to, next + pageSize);
            const range = { gallery, since: next, to: end };
            const page = opening(keys, (ring, isLast) => thread().page(range, ring, { withRemoved, isLast }));
            // Its taker is told of a failure when the page's turn comes, which may be never.
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
