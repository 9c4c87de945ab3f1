/**
 * One piece of work at a time: what begins ends what was going on, and what was ended is not heard of again. Held by
 * test/browser/element.test.ts.
 */
import { FaceSignInError } from '../errors.ts';

export interface Work {
  readonly isGoingOn: boolean;
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
    get isGoingOn() {
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
        // Anything else is a mistake in the page's code: it is reported there, and to the person as what it means for them.
        const error =
          thrown instanceof FaceSignInError ? thrown : new FaceSignInError('key_refused', { cause: thrown });
        if (error !== thrown) console.error(thrown);
        failed(error);
      } finally {
        if (current === controller) current = undefined;
      }
    },
  };
}
