/**
 * Keeps the matcher's galleries in step with the store: loads one on first use, catches up before every search, drops
 * what the store no longer has, and stays within the memory budget. The store is always right; the matcher only
 * reflects it. test/domain/galleries.test.ts holds it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { GalleryKey, Matcher, SearchResult } from '../../ports/matcher.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import { DAY, GALLERY_WAIT } from '../../protocol/limits.ts';
import { Refusal } from '../refusal.ts';
import { monthOf } from '../time.ts';
import { createGalleryLoads, type LoadState, SMALL_STEP } from './loads.ts';
import { createGalleryMemory, nameOf } from './memory.ts';
import type { GalleryNotice } from './notices.ts';
import type { Unreadable } from './unreadable.ts';

/** How far back a gallery was used that is loaded at the start. */
const RECENT = 30 * DAY;
/** Steps that lead nowhere before a gallery that cannot be followed is given up on; between them a moment passes. */
const MOST_IDLE_STEPS = 100;

export interface GalleriesStatus {
  /** Long loads, those that wait for their turn included. */
  readonly loading: readonly LoadState[];
  /** Templates that do not open, of galleries that are or were loaded: they are left out of searches. */
  readonly unreadable: readonly Unreadable[];
  /** Galleries that are loaded, and what all of them take. */
  readonly loaded: number;
  readonly bytes: number;
  readonly budgetBytes: number;
}

export interface Galleries {
  /** Resolves when the matcher reflects every change that the store had when the call was made. */
  catchUp(gallery: GalleryKey): Promise<void>;
  /**
   * Searches the gallery as it is, or newer: one that was dropped for its memory meanwhile is loaded again.
   * @param margin in place of the configured one
   */
  search(gallery: GalleryKey, probes: readonly (readonly number[])[], margin?: number): Promise<SearchResult>;
  /**
   * For a request, before it consumes anything: resolves when the gallery is loaded, however far behind.
   * @throws Refusal service_unavailable when loading takes more than 10 s, or failed
   */
  ready(gallery: GalleryKey): Promise<void>;
  /** Forgets what was erased from a loaded gallery; one that is not loaded stays so. */
  refresh(gallery: GalleryKey): Promise<void>;
  /** Runs one task at a time per gallery, in order. */
  exclusive<Answer>(gallery: GalleryKey, task: () => Promise<Answer>): Promise<Answer>;
  /** Brings every loaded gallery up to date, and so forgets what was erased by others. */
  reconcile(): Promise<void>;
  /** Loads the galleries that were used lately, the most used first, as far as they fit. Requests go before. */
  preload(): Promise<void>;
  status(): GalleriesStatus;
  /** Ends long loads: whoever waits for one is refused. Everything else goes on. */
  close(): Promise<void>;
}

export interface GalleriesOptions {
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

  /** The sequence to be reached. A gallery that the store no longer has is forgotten. */
  async function wantedSequence(gallery: GalleryKey): Promise<number> {
    const wanted = await store.gallerySequence(gallery);
    if (wanted === 0 && matcher.sequence(gallery) > 0) {
      await matcher.drop(gallery);
      loads.forget(gallery);
    }
    return wanted;
  }

  /** Answers the sequence that was reached. @param onlyLoaded a gallery that is not loaded stays so */
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
    throw new Refusal(
      'service_unavailable',
      'The gallery changes faster than it is followed. Try again soon.',
      {
        retryAfter: GALLERY_WAIT,
      },
    );
  }

  async function reconcile(gallery: GalleryKey, note: (fault: unknown) => void): Promise<void> {
    const wanted = await wantedSequence(gallery);
    const reached = matcher.sequence(gallery);
    if (reached === 0) return;
    if (wanted - reached <= SMALL_STEP) await catchUp(gallery, true);
    // Nor does it wait for one that is far behind; a load under way ends with everything there is.
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
      // A loaded gallery only has to catch up, which the search does; a half-loaded one is far behind.
      if (wanted === 0 || (reached > 0 && wanted - reached <= SMALL_STEP)) return;
      const late = new AbortController();
      const tooLong = delay(GALLERY_WAIT, true, { signal: late.signal, ref: false }).catch(() => false);
      const load = catchUp(gallery).then(() => false);
      const gaveUp = await Promise.race([load, tooLong]).finally(() => late.abort());
      if (gaveUp) {
        load.catch(() => undefined);
        throw new Refusal('service_unavailable', 'The gallery is being loaded. Try again soon.', {
          retryAfter: GALLERY_WAIT,
        });
      }
    },

    async refresh(gallery) {
      const holdsSome = () => matcher.sequence(gallery) > 0 || loads.isLoading(gallery);
      // Pages of a load may hold, and bring, what was erased; a load that failed has left nothing.
      if (!holdsSome()) return;
      await catchUp(gallery, true).catch(error => {
        if (holdsSome()) throw error;
      });
    },

    async exclusive(gallery, task) {
      const name = nameOf(gallery);
      const turn = (tails.get(name) ?? Promise.resolve()).then(task, task);
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
      // One gallery that cannot be read must not keep erasures from the others.
      for (const { key } of matcher.stats().galleries) await reconcile(key, note).catch(note);
      if (fault) throw fault;
    },

    async preload() {
      const used = await store.usedGalleries(monthOf(clock.now() - RECENT));
      for (const { gallery } of used.toReversed()) if (!memory.isKnown(gallery)) memory.touch(gallery);
      for (const { gallery, sequence } of used) {
        await loads.quiet();
        if (isClosing) return;
        if (matcher.sequence(gallery) > 0 || !memory.hasRoomFor(sequence)) continue;
        // Whoever watches was told of the failure.
        await catchUp(gallery).catch(() => undefined);
      }
    },

    status() {
      const { bytes, galleries } = matcher.stats();
      const loading = loads.underWay();
      const loaded = galleries.filter(({ key }) => !loads.isLoading(key)).length;
      return { loading, unreadable: loads.unreadable(), loaded, bytes, budgetBytes };
    },

    async close() {
      isClosing = true;
      await loads.close();
    },
  };
}
