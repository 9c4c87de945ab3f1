/** Cleans up behind work that a signal ends. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Cleans up, and then lets the signal do what it would have done without us. Answers how to stop watching. */
export function onSignal(clean: () => void): () => void {
  const handlers = SIGNALS.map(signal => {
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
