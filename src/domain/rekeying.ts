/**
 * A new key for an app, or for the private signing keys, made while the server runs. The new key seals everything new
 * at once. Older values are sealed again in small batches, with pauses for other writers. Then the old keys are
 * destroyed. An interruption loses nothing: the next run, or the server's job, continues.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  FIRST_PLACE,
  type KeyOwner,
  type Resealed,
  type ResealPlace,
  SIGNING_KEYS,
  type Store,
} from '../ports/store.ts';
import { recordEntry } from './access/audit.ts';
import type { AdminDeps } from './deps.ts';
import { findApp, listApps } from './operating/apps.ts';
import type { RunOptions } from './retention.ts';

/** With this many, a batch computes about as long as it waits for the disk. */
const AT_ONCE = 250;
/** Longer than another process waits before it asks for its turn again. */
const PAUSE_MS = 10;

/** @param total how many there were at the beginning */
export type Progress = (done: number, total: number) => void;

export interface Rekeyed {
  readonly owner: KeyOwner;
  /** How many values are sealed with the new key. */
  readonly values: number;
  /** How many cannot be decrypted. They stay as they are. */
  readonly unreadable: number;
  /** Whether this finished an interrupted change, instead of making another key. */
  readonly resumed: boolean;
}

/** @returns null when nothing was ever sealed for the owner */
export async function rekey(
  { store, entry }: Pick<AdminDeps, 'store' | 'entry'>,
  owner: KeyOwner,
  onProgress: Progress = () => undefined,
): Promise<Rekeyed | null> {
  const begun = await store.beginRekey(owner, entry);
  if (begun === 'no_key') return null;
  return { owner, ...(await finish(store, owner, onProgress)), resumed: begun === 'resumed' };
}

/** Finishes interrupted changes, without making a key. @returns how many values were sealed again */
export async function finishRekeys(
  { store }: Pick<AdminDeps, 'store'>,
  { signal, onProgress }: RunOptions = {},
): Promise<number> {
  let values = 0;
  for (const owner of await store.unfinishedRekeys())
    values += (await finish(store, owner, done => onProgress?.(values + done), signal)).values;
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
      // A large app takes minutes, and a stopping service must not wait that long.
      signal?.throwIfAborted();
      const resealed: Resealed = await store.reseal(owner, place, AT_ONCE);
      done += resealed.seen;
      unreadable += resealed.unreadable;
      place = resealed.next;
      onProgress(done, Math.max(done, total));
      if (place) await delay(PAUSE_MS);
    }
    // Repeats if another command has made a newer key meanwhile.
    if (await store.destroyOldKeys(owner)) return { values: done - unreadable, unreadable };
  }
}

export { SIGNING_KEYS } from '../ports/store.ts';

/** Empty when nothing was ever sealed for the app. @throws OperatingFault not_found */
export async function rekeyApp(
  deps: Pick<AdminDeps, 'store' | 'entry'>,
  id: string,
  onProgress?: Progress,
): Promise<Rekeyed[]> {
  await findApp(deps, id);
  return rekeyEach(deps, [id], onProgress);
}

/** For every app, and for the signing keys. */
export async function rekeyAll(
  deps: Pick<AdminDeps, 'store' | 'entry'>,
  onProgress?: Progress,
): Promise<Rekeyed[]> {
  const apps = await listApps(deps);
  return rekeyEach(deps, [...apps.map(({ id }) => id), SIGNING_KEYS], onProgress);
}

async function rekeyEach(
  { store, entry }: Pick<AdminDeps, 'store' | 'entry'>,
  owners: readonly string[],
  onProgress?: Progress,
): Promise<Rekeyed[]> {
  const rekeyed: Rekeyed[] = [];
  for (const owner of owners) {
    // One act, whose entry goes with the first new key.
    const one = await rekey({ store, entry: rekeyed.length === 0 ? entry : undefined }, owner, onProgress);
    if (one) rekeyed.push(one);
  }
  if (rekeyed.length === 0) await recordEntry({ store, entry });
  return rekeyed;
}
