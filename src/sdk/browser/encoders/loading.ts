/**
 * Lets several callers share one loading operation. It runs once at a time, and all callers get its progress. A caller
 * that aborts does not stop it for the others. A failure is reported to all, and the next call tries again. Held by
 * test/sdk/capture-loading.test.ts.
 */

import type { FaceSignInError } from '../errors.ts';
import { errorOf, orAborted, throwIfAborted } from '../thrown.ts';

export interface LoadOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: number) => void;
}

/** Does the work, unless it is already done, and reports its progress from 0 to 1. */
export type Work = (report: (progress: number) => void) => Promise<void>;

/** @throws FaceSignInError `encoder_failed` (the reason is its cause), `offline`, `timeout`, `aborted` */
export function loader(work: Work): (options?: LoadOptions) => Promise<void> {
  const listeners = new Set<(progress: number) => void>();
  let running: Promise<void> | undefined;
  let last = 0;
  const report = (progress: number) => {
    last = progress;
    for (const listener of listeners) listener(progress);
  };
  return async ({ signal, onProgress } = {}) => {
    throwIfAborted(signal);
    if (onProgress) listeners.add(onProgress);
    if (!running) last = 0;
    else if (last > 0) onProgress?.(last);
    running ??= work(report).finally(() => {
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

/** Converts whatever an encoder or its library threw into a FaceSignInError. */
export const encoderFailed = (cause: unknown): FaceSignInError => errorOf(cause, 'encoder_failed');
