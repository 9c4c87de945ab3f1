/**
 * Converts whatever was thrown into an error of the SDK. Claims nothing that is not known: only a mistake that the SDK
 * itself has found in the page is called one. Every step of a call observes the caller's AbortSignal. Held by
 * test/sdk/browser-faults.test.ts and test/sdk/browser-abort.test.ts.
 */
import { FaceSignInError, type FaceSignInErrorCode, isOwn, SetupError } from './errors.ts';

/** What the supported browsers have, and older ones do not. What leads here must run in those too. */
const isTooOld = () => typeof structuredClone !== 'function';

export const isOffline = () => globalThis.navigator?.onLine === false;

/** @param otherwise the code of anything that does not explain itself */
export function errorOf(
  cause: unknown,
  otherwise: FaceSignInErrorCode,
  detail = messageOf(cause),
): FaceSignInError {
  if (isOwn(cause)) return cause;
  if (cause instanceof SetupError) return new FaceSignInError('key_refused', { cause, detail });
  return new FaceSignInError(isTooOld() ? 'browser_too_old' : otherwise, { cause, detail });
}

export const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));

/** Milliseconds to wait for a module: nothing says how much of it has arrived. */
const MODULE_LIMIT = 60_000;

/**
 * A dynamic import. Browsers do not say why one fails.
 * @param otherwise the error if the device is online and the browser new enough
 */
export async function imported<T>(
  load: () => Promise<T>,
  otherwise: FaceSignInErrorCode = 'load_failed',
  explain: (reason: string) => string = reason => reason,
): Promise<T> {
  try {
    return await inTime(load(), MODULE_LIMIT, 'a module did not arrive');
  } catch (cause) {
    const detail = explain(messageOf(cause));
    if (isOffline()) throw new FaceSignInError('offline', { cause, detail });
    throw errorOf(cause, otherwise, detail);
  }
}

/** @throws FaceSignInError timeout */
export async function inTime<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new FaceSignInError('timeout', { detail: `${what} in ${ms / 1_000} seconds` })),
      ms,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

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
