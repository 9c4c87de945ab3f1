/** Gives what closes itself an end that `await using`, or `using`, knows, so that a test needs no `finally` for it. */
export function closing<T extends { close(): unknown }>(it: T): T & AsyncDisposable & Disposable {
  return Object.assign(it, {
    async [Symbol.asyncDispose]() {
      await it.close();
    },
    [Symbol.dispose]() {
      it.close();
    },
  });
}
