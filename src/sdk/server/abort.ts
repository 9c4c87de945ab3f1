/** The caller's AbortSignal, and the end of a request's time. Held by test/sdk/server-abort.test.ts. */

export interface CallOptions {
  /** Gives the call up: it rejects with the code `aborted`, whose cause is the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What `work` comes to, or the error as soon as the signal is aborted; others may wait for the work still. */
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
 * A signal that is aborted when the time is up or the caller's is. `release` lets go of the caller's, which may outlive many
 * requests. By hand, because Node.js has AbortSignal.any from 20.3 on only.
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
