/** The caller's AbortSignal, at every step of a verb. Held by test/sdk/browser-abort.test.ts. */
import { FaceSignInError } from './errors.ts';

export function aborted(signal: AbortSignal): FaceSignInError {
  return new FaceSignInError('aborted', { cause: signal.reason });
}

/** @throws FaceSignInError aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal);
}

/** What `work` comes to, or `aborted` as soon as the signal says so, also where the work does not listen to it. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  throwIfAborted(signal);
  let stop: (() => void) | undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(aborted(signal));
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}

/** Waits for some milliseconds. @throws FaceSignInError aborted */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await orAborted(waited, signal);
  } finally {
    clearTimeout(timer);
  }
}
