/**
 * Loading that several callers can ask for: the work runs once at a time, everyone waits for it and hears its progress,
 * and whoever gives up stops waiting without spoiling it for the others. A failure is told to all and forgotten, so the
 * next call tries again. Knows nothing of models. Held by test/sdk/capture-loading.test.ts.
 */
import { orAborted, throwIfAborted } from '../abort.ts';
import { FaceSignInError } from '../errors.ts';

export interface LoadOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: number) => void;
}

/** Does the work, or finds it done already; tells its progress from 0 to 1. */
export type Work = (tell: (progress: number) => void) => Promise<void>;

/** @throws FaceSignInError `encoder_failed` (the reason is its cause), `aborted` */
export function loader(work: Work): (options?: LoadOptions) => Promise<void> {
  const listeners = new Set<(progress: number) => void>();
  let running: Promise<void> | undefined;
  const tell = (progress: number) => {
    for (const listener of listeners) listener(progress);
  };
  return async ({ signal, onProgress } = {}) => {
    throwIfAborted(signal);
    if (onProgress) listeners.add(onProgress);
    running ??= work(tell).finally(() => {
      running = undefined;
    });
    try {
      await orAborted(running, signal);
    } catch (cause) {
      throw encoderFailed(cause);
    } finally {
      if (onProgress) listeners.delete(onProgress);
    }
    onProgress?.(1);
  };
}

/** Whatever an encoder or its library threw, as the one error that callers know. */
export function encoderFailed(cause: unknown): FaceSignInError {
  if (cause instanceof FaceSignInError) return cause;
  return new FaceSignInError('encoder_failed', {
    cause,
    detail: cause instanceof Error ? cause.message : String(cause),
  });
}
