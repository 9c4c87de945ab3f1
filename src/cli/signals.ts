/** Cleans up when a signal ends the process. */

/** What ends a program: Ctrl+C, a service manager, or a terminal that was closed. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Cleans up, then lets the signal take its default effect. @returns a function that stops watching */
export function onSignal(clean: () => void): () => void {
  const handlers = ENDING_SIGNALS.map(signal => {
    const handler = () => {
      unwatch();
      clean();
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    };
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  const unwatch = () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
  return unwatch;
}
