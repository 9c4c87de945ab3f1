/** Shares runs of a task between callers. */

/** Starts the task if it is not running. Callers during a run share the next one, which begins after it. */
export function shared(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  function start(): Promise<void> {
    running = task().finally(() => {
      running = null;
    });
    return running;
  }

  return () => {
    if (!running) return start();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return start();
      });
    return next;
  };
}
