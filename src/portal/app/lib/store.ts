/** A value that components follow. */
import { useEffect, useState } from 'preact/hooks';

export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** Calls back at every change. @returns ends it */
  follow(onChange: () => void): () => void;
}

export function store<T>(first: T): Store<T> {
  let value = first;
  const followers = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (next === value) return;
      value = next;
      for (const one of [...followers]) one();
    },
    follow(onChange) {
      followers.add(onChange);
      return () => followers.delete(onChange);
    },
  };
}

export function useStore<T>(of: Store<T>): T {
  const [, draw] = useState(0);
  useEffect(() => of.follow(() => draw(n => n + 1)), [of]);
  return of.get();
}
