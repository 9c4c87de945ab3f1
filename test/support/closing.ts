import type { Suite } from './suite.ts';

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

/** What is opened before the tests of a suite and closed after them. Its members exist from the first test on. */
export function openedFor<T extends { close(): unknown }>(test: Suite, open: () => Promise<T>): T {
  let it: T | undefined;
  test.before(async () => {
    it = await open();
  });
  test.after(async () => {
    await it?.close();
  });
  return later(() => it as T);
}

/** Stands for an object that does not exist yet. */
export function later<T extends object>(get: () => T): T {
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(get(), key),
    set: (_, key, value) => Reflect.set(get(), key, value),
    ownKeys: () => Reflect.ownKeys(get()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(get(), key),
  });
}
