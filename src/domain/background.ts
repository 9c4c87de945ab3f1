/**
 * Work that continues after its request was answered, such as sending email. Each task has a time limit. When the
 * service stops, it waits for running tasks and then aborts them, so nothing is left half-done.
 */
import { setTimeout as delay } from 'node:timers/promises';

export interface Background {
  /**
   * Starts a task. Its signal aborts after `patience`, or when the service closes. Returns what the task returns.
   * @param patience milliseconds
   */
  run<Answer>(patience: number, task: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
  /** Waits up to `patience` milliseconds for running tasks, then aborts them and waits until they have ended. */
  close(patience: number): Promise<void>;
}

/** @param onFault receives what a task throws: its request may already be answered */
export function createBackground(onFault: (fault: unknown) => void): Background {
  const running = new Set<Promise<unknown>>();
  const closing = new AbortController();

  return {
    run(patience, task) {
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(), patience);
      const work = task(AbortSignal.any([timeout.signal, closing.signal]));
      const settled = work.catch(onFault).finally(() => {
        clearTimeout(timer);
        running.delete(settled);
      });
      running.add(settled);
      return work;
    },

    async close(patience) {
      const allDone = new AbortController();
      const waited = delay(patience, undefined, { signal: allDone.signal }).catch(() => undefined);
      await Promise.race([Promise.all(running), waited]);
      allDone.abort();
      closing.abort();
      await Promise.all(running);
    },
  };
}
