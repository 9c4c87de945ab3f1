/**
 * A fresh key for an app, or for the private signing keys, beside a running server: the new key seals from its first
 * moment on, what older ones have sealed follows in small batches with pauses for other writers, then they are
 * destroyed. Killed anywhere, nothing is lost: the next run, or the job of the server, goes on.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { FIRST_PLACE, type KeyOwner, type Resealed, type ResealPlace, type Store } from '../ports/store.ts';
import type { AdminDeps } from './deps.ts';
import type { Course } from './retention.ts';

/** So much that a batch takes about as long as it waits for the disk. */
const AT_ONCE = 250;
/** Longer than another process waits before it asks for its turn again. */
const PAUSE_MS = 10;

/** @param total what there was at the beginning */
export type Progress = (done: number, total: number) => void;

export interface Rekeyed {
  readonly owner: KeyOwner;
  /** How many values are sealed with the new key. */
  readonly values: number;
  /** How many do not open, and stay as they are. */
  readonly unreadable: number;
  /** Whether an interrupted change was ended, instead of another key made. */
  readonly resumed: boolean;
}

/** @returns null when nothing was ever sealed for the owner */
export async function rekey(
  { store }: Pick<AdminDeps, 'store'>,
  owner: KeyOwner,
  onProgress: Progress = () => undefined,
): Promise<Rekeyed | null> {
  const begun = await store.beginRekey(owner);
  if (begun === 'no_key') return null;
  return { owner, ...(await finish(store, owner, onProgress)), resumed: begun === 'resumed' };
}

/** Ends changes that were interrupted; answers how many values are sealed anew. Makes no key. */
export async function finishRekeys(
  { store }: Pick<AdminDeps, 'store'>,
  { signal, tell }: Course = {},
): Promise<number> {
  let values = 0;
  for (const owner of await store.unfinishedRekeys())
    values += (await finish(store, owner, done => tell?.(values + done), signal)).values;
  return values;
}

async function finish(
  store: Store,
  owner: KeyOwner,
  onProgress: Progress,
  signal?: AbortSignal,
): Promise<Pick<Rekeyed, 'values' | 'unreadable'>> {
  const total = await store.sealedValues(owner);
  for (;;) {
    let done = 0;
    let unreadable = 0;
    let place: ResealPlace | null = FIRST_PLACE;
    while (place) {
      // A large app takes minutes: a service that is told to stop does not wait for its end.
      signal?.throwIfAborted();
      const resealed: Resealed = await store.reseal(owner, place, AT_ONCE);
      done += resealed.seen;
      unreadable += resealed.unreadable;
      place = resealed.next;
      onProgress(done, Math.max(done, total));
      if (place) await delay(PAUSE_MS);
    }
    // Another command may have made a newer key meanwhile.
    if (await store.destroyOldKeys(owner)) return { values: done - unreadable, unreadable };
  }
}
