/** Every step of a call observes the caller's AbortSignal. Held by test/sdk/browser-abort.test.ts. */
import { FaceSignInError } from './errors.ts';

export function aborted(signal: AbortSignal): FaceSignInError {
  return new FaceSignInError('aborted', { cause: signal.reason });
}

/** @throws FaceSignInError aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal);
}

/** Settles like `work`, or rejects with `aborted` at once on the signal, even if the work ignores the signal. */
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

/** @throws FaceSignInError aborted */
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
