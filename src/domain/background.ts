/**
 * Work that goes on after its request was answered: messages on their way. It has a time limit, and an end of the
 * service waits for it, then ends it: nothing is left half-done.
 */
import { setTimeout as delay } from 'node:timers/promises';

export interface Background {
  /**
   * Starts a task; its signal ends it after the given time, or when the service closes. The answer is the task's own.
   * @param patience milliseconds
   */
  run<Answer>(patience: number, task: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
  /** Waits for what is running, for `patience` milliseconds at most; then ends it and waits for the ends. */
  close(patience: number): Promise<void>;
}

/** @param onFault is told what a task threw: its request may be gone by then */
export function createBackground(onFault: (fault: unknown) => void): Background {
  const running = new Set<Promise<unknown>>();
  const closing = new AbortController();

  return {
    run(patience, task) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), patience);
      const work = task(AbortSignal.any([late.signal, closing.signal]));
      const settled = work.catch(onFault).finally(() => {
        clearTimeout(timer);
        running.delete(settled);
      });
      running.add(settled);
      return work;
    },

    async close(patience) {
      const enough = new AbortController();
      const waited = delay(patience, undefined, { signal: enough.signal }).catch(() => undefined);
      await Promise.race([Promise.all(running), waited]);
      enough.abort();
      closing.abort();
      await Promise.all(running);
    },
  };
}
