/**
 * The caller's AbortSignal, the time limit of a request, and pauses between requests. Held by
 * test/sdk/server-abort.test.ts.
 */

export interface CallOptions {
  /** Aborts the call: it rejects with the code `aborted` and the signal's reason as its cause. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of `work`, or the error as soon as the signal aborts. Others may still wait for the work. */
export async function orAborted<T>(
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
  error: (reason: unknown) => Error,
): Promise<T> {
  if (!signal) return work();
  if (signal.aborted) throw error(signal.reason);
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(error(signal.reason));
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * A signal that aborts when the time is up or the caller's signal aborts. `release` detaches it from the caller's
 * signal, which may outlive many requests. Does not use AbortSignal.any, which Node.js has only since 20.3.
 */
export function endAfter(ms: number, caller: AbortSignal | undefined) {
  const controller = new AbortController();
  const end = () => controller.abort(caller?.reason);
  const timer = setTimeout(() => controller.abort(new DOMException('The time is up.', 'TimeoutError')), ms);
  caller?.addEventListener('abort', end);
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', end);
    },
  };
}

/**
 * Resolves when the time is over or the signal aborts.
 * @param holds keeps the program running, because somebody waits
 */
export function pause(ms: number, signal: AbortSignal, holds = false): Promise<void> {
  return new Promise(done => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    if (!holds) (timer as { unref?: () => void }).unref?.();
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
