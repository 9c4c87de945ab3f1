/**
 * Keeps the matcher's galleries in sync with the store. Loads a gallery on first use, applies new changes before
 * every search, drops what the store no longer has, and stays within the memory budget. The store is always right.
 * Held by test/domain/galleries.test.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { GalleryKey, Matcher, SearchResult } from '../../ports/matcher.ts';
import { type Store, StoreUnavailable } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import { DAY, GALLERY_WAIT } from '../../protocol/limits.ts';
import { monthOf } from '../../protocol/time.ts';
import { Refusal } from '../refusal.ts';
import { createGalleryLoads, type LoadState, SMALL_STEP } from './loads.ts';
import { createGalleryMemory, nameOf } from './memory.ts';
import type { GalleryNotice } from './notices.ts';
import type { Unreadable } from './unreadable.ts';

/** Galleries used within this period are loaded at the start. */
const RECENT = 30 * DAY;
/** After this many steps without progress, with a short pause after each, a gallery is given up. */
const MOST_IDLE_STEPS = 100;

export interface GalleriesStatus {
  /** Long loads, including those that wait for their turn. */
  readonly loading: readonly LoadState[];
  /** Templates that cannot be decrypted, in galleries that are or were loaded. Searches do not include them. */
  readonly unreadable: readonly Unreadable[];
  /** How many galleries are loaded, and the bytes of all of them. */
  readonly loaded: number;
  readonly bytes: number;
  readonly budgetBytes: number;
}

export interface Galleries {
  /** Resolves when the matcher has every change that the store had at the time of the call. */
  catchUp(gallery: GalleryKey): Promise<void>;
  /**
   * Searches the current state of the gallery, or a newer one. A gallery that was dropped from memory meanwhile is
   * loaded again.
   * @param margin replaces the configured margin
   */
  search(gallery: GalleryKey, probes: readonly (readonly number[])[], margin?: number): Promise<SearchResult>;
  /**
   * For a request, before it consumes anything: resolves when the gallery is loaded and almost up to date.
   * @throws Refusal service_unavailable if loading takes more than 10 s, or fails
   */
  ready(gallery: GalleryKey): Promise<void>;
  /** Removes erased templates from a loaded gallery. Does not load a gallery. */
  refresh(gallery: GalleryKey): Promise<void>;
  /** Runs one task at a time per gallery, in order. */
  exclusive<Answer>(gallery: GalleryKey, task: () => Promise<Answer>): Promise<Answer>;
  /** Applies all changes to every loaded gallery, including what other processes have erased. */
  reconcile(): Promise<void>;
  /** Loads recently used galleries, the most used first, as far as memory allows. Loads for requests come first. */
  preload(): Promise<void>;
  status(): GalleriesStatus;
  /** Stops long loads and refuses the requests that wait for them. Everything else continues. */
  close(): Promise<void>;
}

interface GalleriesOptions {
  readonly store: Store;
  readonly matcher: Matcher;
  readonly clock: Clock;
  readonly budgetBytes: number;
  readonly notice: (what: GalleryNotice) => void;
}

export function createGalleries(options: GalleriesOptions): Galleries {
  const { store, matcher, clock, budgetBytes, notice } = options;
  const memory = createGalleryMemory(matcher, budgetBytes);
  const loads = createGalleryLoads(options, memory, notice);
  const tails = new Map<string, Promise<unknown>>();
  let isClosing = false;

  /**
   * Returns the sequence to reach. Drops a gallery that the store no longer has, or has lost a part of: a standby may
   * have taken over without the last writes. Enrolments would otherwise be tried again for ever.
   */
  async function wantedSequence(gallery: GalleryKey): Promise<number> {
    const before = matcher.sequence(gallery);
    const { sequence: wanted } = await store.galleryState(gallery);
    if (wanted < before || (wanted === 0 && matcher.sequence(gallery) > 0)) {
      await matcher.drop(gallery);
      loads.forget(gallery);
    }
    return wanted;
  }

  /** Returns the sequence that was reached. @param onlyLoaded does not load a gallery */
  async function catchUp(gallery: GalleryKey, onlyLoaded = false): Promise<number> {
    for (let idle = 0; idle < MOST_IDLE_STEPS; ) {
      const wanted = await wantedSequence(gallery);
      const reached = matcher.sequence(gallery);
      if (reached >= wanted) return wanted;
      if (onlyLoaded && reached === 0 && !loads.isLoading(gallery)) return wanted;
      await loads.advance(gallery, wanted);
      if (matcher.sequence(gallery) !== reached) continue;
      idle += 1;
      await delay(1);
    }
    throw new Refusal('service_unavailable', 'The gallery is changing too quickly. Try again soon.', {
      retryAfter: GALLERY_WAIT,
    });
  }

  async function reconcile(gallery: GalleryKey, note: (fault: unknown) => void): Promise<void> {
    const wanted = await wantedSequence(gallery);
    const reached = matcher.sequence(gallery);
    if (reached === 0 || reached >= wanted) return;
    if (wanted - reached <= SMALL_STEP) await catchUp(gallery, true);
    // A gallery that is far behind is not waited for. A load that is already running ends up to date.
    else if (!loads.isLoading(gallery)) catchUp(gallery, true).catch(note);
  }

  return {
    async catchUp(gallery) {
      await catchUp(gallery);
    },

    async search(gallery, probes, margin) {
      for (;;) {
        const reached = await catchUp(gallery);
        const found = await matcher.search(gallery, probes, margin);
        if (found.sequence >= reached) return found;
      }
    },

    async ready(gallery) {
      memory.touch(gallery);
      const wanted = await wantedSequence(gallery);
      const reached = matcher.sequence(gallery);
      // The search applies the last few changes itself; a partly loaded gallery is far behind.
      if (wanted === 0 || (reached > 0 && wanted - reached <= SMALL_STEP)) return;
      const waiting = new AbortController();
      const tooLong = delay(GALLERY_WAIT, true, { signal: waiting.signal, ref: false }).catch(() => false);
      const load = catchUp(gallery).then(() => false);
      const gaveUp = await Promise.race([load, tooLong]).finally(() => waiting.abort());
      if (gaveUp) {
        load.catch(() => undefined);
        throw new Refusal('service_unavailable', 'The gallery is being loaded. Try again soon.', {
          retryAfter: GALLERY_WAIT,
        });
      }
    },

    async refresh(gallery) {
      const holdsSome = () => matcher.sequence(gallery) > 0 || loads.isLoading(gallery);
      // A running load may contain erased templates, or still add them. A failed load leaves nothing behind.
      if (!holdsSome()) return;
      await catchUp(gallery, true).catch(error => {
        if (holdsSome()) throw error;
      });
    },

    async exclusive(gallery, task) {
      const name = nameOf(gallery);
      // The store did not answer the one before: it would not answer this one either, after as long.
      const next = (fault?: unknown) => (fault instanceof StoreUnavailable ? Promise.reject(fault) : task());
      const turn = (tails.get(name) ?? Promise.resolve()).then(() => task(), next);
      tails.set(name, turn);
      try {
        return await turn;
      } finally {
        if (tails.get(name) === turn) tails.delete(name);
      }
    },

    async reconcile() {
      let fault: unknown;
      const note = (error: unknown) => {
        fault ??= error;
      };
      // At once, so that a node among several asks for all with one statement. A gallery that cannot be read must not
      // delay erasures in the others.
      await Promise.all(matcher.stats().galleries.map(({ key }) => reconcile(key, note).catch(note)));
      if (fault) throw fault;
    },

    async preload() {
      const used = await store.usedGalleries(monthOf(clock.now() - RECENT));
      for (const { gallery } of used.toReversed()) if (!memory.isKnown(gallery)) memory.touch(gallery);
      for (const { gallery, sequence } of used) {
        await loads.longLoadsDone();
        if (isClosing) return;
        if (matcher.sequence(gallery) > 0 || !memory.hasRoomFor(sequence)) continue;
        // The failure is already in the log.
        await catchUp(gallery).catch(() => undefined);
      }
    },

    status() {
      const { bytes, galleries } = matcher.stats();
      const loading = loads.longLoads();
      const loaded = galleries.filter(({ key }) => !loads.isLoading(key)).length;
      return { loading, unreadable: loads.unreadable(), loaded, bytes, budgetBytes };
    },

    async close() {
      isClosing = true;
      await loads.close();
    },
  };
}
