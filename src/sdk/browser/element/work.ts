/**
 * Runs one task at a time: a new task aborts the current one, and an aborted task reports nothing. Held by
 * test/browser/element.test.ts.
 */
import type { FaceSignInError } from '../errors.ts';
import { errorOf } from '../thrown.ts';

export interface Work {
  readonly isBusy: boolean;
  stop(): void;
  run(work: (signal: AbortSignal) => Promise<void>, failed: (error: FaceSignInError) => void): Promise<void>;
}

export function oneAtATime(): Work {
  let current: AbortController | undefined;
  const stop = () => {
    current?.abort();
    current = undefined;
  };
  return {
    get isBusy() {
      return current !== undefined;
    },
    stop,
    async run(work, failed) {
      stop();
      const controller = new AbortController();
      current = controller;
      try {
        await work(controller.signal);
      } catch (thrown) {
        if (controller.signal.aborted) return;
        failed(errorOf(thrown, 'unknown_error'));
      } finally {
        if (current === controller) current = undefined;
      }
    },
  };
}
