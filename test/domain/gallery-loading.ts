/** What the tests of loading share: galleries over fakes, who is refused, and pages that are held back. */
import * as assert from 'uvu/assert';
import { Refusal } from '../../src/domain/refusal.ts';
import type { GalleryChanges, GalleryKey } from '../../src/ports/matcher.ts';
import { FakeMatcher, FakeStore, gate, keeper } from './gallery-fakes.ts';

/** Changes that are read by the page; more than LONG are told of. */
export const LONG = 10_000;

export function fresh(budgetBytes?: number) {
  const store = new FakeStore();
  const matcher = new FakeMatcher();
  return { store, matcher, ...keeper(store, matcher, budgetBytes) };
}

export async function thrownBy(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => new Error('was let through'),
    (reason: Error) => reason,
  );
}

export async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  const error = await thrownBy(promise);
  assert.instance(error, Refusal, error.message);
  assert.is((error as Refusal).code, 'service_unavailable');
  return error as Refusal;
}

/** Whether every page was handed over or erased. */
export function noneLeft(pages: readonly GalleryChanges[]): boolean {
  return pages.every(({ added: { vectors } }) => vectors.buffer.detached || vectors.every(x => x === 0));
}

/** Holds the page of that number of a gallery until the gate is opened, before or after it is read. */
export function holdPage(
  store: FakeStore,
  gallery: GalleryKey,
  number: number,
  when: 'page' | 'read' = 'page',
) {
  const held = gate();
  let reads = 0;
  store.before = (what, { appId }) =>
    what === when && appId === gallery.appId && ++reads === number ? held.opened : undefined;
  return held;
}
