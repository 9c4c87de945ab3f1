/**
 * Threads that read galleries. They start with the first job, share the work, and end when idle.
 * Held by test/sqlite/gallery-reader.test.ts.
 */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { ThreadSettings } from './messages.ts';
import { ReaderThread } from './reader-thread.ts';

const IDLE_MS = 10_000;

export interface ThreadOptions extends ThreadSettings {
  /** How many at most. */
  readonly most: number;
  readonly idleMs?: number;
  /** For tests: called with each new thread. */
  readonly onThread?: (thread: Worker) => void;
}

export interface Threads {
  /** The thread with the fewest jobs. @throws StoreUnavailable once closed */
  thread(): ReaderThread;
  close(): Promise<void>;
}

export function createThreads(options: ThreadOptions): Threads {
  const { most, idleMs = IDLE_MS, onThread } = options;
  let threads: ReaderThread[] = [];
  let idle: NodeJS.Timeout | undefined;
  /** Threads that are ending. */
  const ending = new Set<Promise<void>>();
  let isClosed = false;

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
    thread() {
      if (isClosed) throw ReaderThread.closed();
      clearTimeout(idle);
      idle = setTimeout(endThreads, idleMs).unref();
      // Threads that have ended by themselves are dropped: their jobs have failed.
      threads = threads.filter(one => !one.hasEnded);
      const free = threads.reduce<ReaderThread | undefined>(
        (least, one) => (least && least.jobs <= one.jobs ? least : one),
        undefined,
      );
      if (free && (free.jobs === 0 || threads.length >= Math.min(most, availableParallelism()))) return free;
      const started = new ReaderThread(options, onThread);
      threads.push(started);
      return started;
    },

    async close() {
      isClosed = true;
      clearTimeout(idle);
      await Promise.all([...threads.map(one => one.end()), ...ending]);
    },
  };
}
