/**
 * Keeps the matcher's galleries in step with the store: loads one on first use, catches up before every search, drops
 * what the store no longer has, and stays within the memory budget. The store is always right; the matcher only
 * reflects it. test/domain/galleries.test.ts holds it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { GalleryChanges, GalleryKey, Matcher, SearchResult } from '../ports/matcher.ts';
import type { Store } from '../ports/store.ts';
import { GALLERY_WAIT } from '../protocol/limits.ts';
import { Refusal } from './refusal.ts';

/** Templates read and opened in one go: about 10 ms of the event loop. */
const PAGE = 1_000;

export interface Galleries {
  /** Resolves when the matcher reflects every change that the store had when the call was made. */
  catchUp(gallery: GalleryKey): Promise<void>;
  /** Searches the gallery as it is, or newer: one that was dropped for its memory meanwhile is loaded again. */
  search(gallery: GalleryKey, probes: readonly (readonly number[])[]): Promise<SearchResult>;
  /**
   * For a request, before it consumes anything: resolves when the gallery is loaded, however far behind.
   * @throws Refusal service_unavailable when loading takes more than 10 s
   */
  ready(gallery: GalleryKey): Promise<void>;
  /** Forgets what was erased from a loaded gallery; one that is not loaded stays so. */
  refresh(gallery: GalleryKey): Promise<void>;
  /** Runs one task at a time per gallery, in order. */
  exclusive<Answer>(gallery: GalleryKey, task: () => Promise<Answer>): Promise<Answer>;
  /** Brings every loaded gallery up to date, and so forgets what was erased by others. */
  reconcile(): Promise<void>;
}

export function createGalleries(store: Store, matcher: Matcher, budgetBytes: number): Galleries {
  const loads = new Map<string, Promise<void>>();
  const tails = new Map<string, Promise<unknown>>();
  /** Least recently used first. */
  const used = new Map<string, GalleryKey>();

  /** The sequence to be reached. A gallery that the store no longer has is forgotten. */
  async function wantedSequence(gallery: GalleryKey): Promise<number> {
    const wanted = await store.gallerySequence(gallery);
    if (wanted === 0 && matcher.sequence(gallery) > 0) await matcher.drop(gallery);
    return wanted;
  }

  /** Answers the sequence that was reached. */
  async function catchUp(gallery: GalleryKey): Promise<number> {
    for (;;) {
      const wanted = await wantedSequence(gallery);
      if (matcher.sequence(gallery) >= wanted) return wanted;
      await joinLoad(gallery);
    }
  }

  function joinLoad(gallery: GalleryKey): Promise<void> {
    const name = nameOf(gallery);
    let load = loads.get(name);
    if (!load) {
      load = loadChanges(gallery).finally(() => loads.delete(name));
      loads.set(name, load);
    }
    return load;
  }

  async function loadChanges(gallery: GalleryKey): Promise<void> {
    if (!used.has(nameOf(gallery))) touch(gallery);
    for (;;) {
      const from = matcher.sequence(gallery);
      const changes = await store.galleryChanges(gallery, from, PAGE);
      if (changes.to <= from) return;
      // Dropped while the page was read: what was read follows nothing any more.
      if (matcher.sequence(gallery) !== from) continue;
      await applyOrDrop(gallery, changes);
      await shrink(gallery);
      if (changes.added.length < PAGE) return;
    }
  }

  /** A gallery that could not be brought further is not kept half loaded: the next request begins anew. */
  async function applyOrDrop(gallery: GalleryKey, changes: GalleryChanges): Promise<void> {
    try {
      await matcher.apply(gallery, changes);
    } catch (error) {
      await matcher.drop(gallery).catch(() => undefined);
      throw error;
    }
  }

  /** Drops the galleries that were not used for longest while the budget is exceeded; never the one at hand. */
  async function shrink(atHand: GalleryKey): Promise<void> {
    for (const [name, gallery] of used) {
      if (matcher.stats().bytes <= budgetBytes) return;
      if (name === nameOf(atHand)) continue;
      used.delete(name);
      await matcher.drop(gallery);
    }
  }

  function touch(gallery: GalleryKey): void {
    const name = nameOf(gallery);
    used.delete(name);
    used.set(name, gallery);
  }

  return {
    async catchUp(gallery) {
      await catchUp(gallery);
    },

    async search(gallery, probes) {
      for (;;) {
        const reached = await catchUp(gallery);
        const found = await matcher.search(gallery, probes);
        if (found.sequence >= reached) return found;
      }
    },

    async ready(gallery) {
      touch(gallery);
      // A loaded gallery only has to catch up, which the search does.
      if (matcher.sequence(gallery) > 0 || (await wantedSequence(gallery)) === 0) return;
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
      if (matcher.sequence(gallery) > 0) await catchUp(gallery);
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
      for (const { key } of matcher.stats().galleries) {
        if (matcher.sequence(key) === 0) continue;
        // One gallery that cannot be read must not keep erasures from the others.
        await catchUp(key).catch(error => {
          fault ??= error;
        });
      }
      if (fault) throw fault;
    },
  };
}

function nameOf({ appId, mode }: GalleryKey): string {
  return `${mode}:${appId}`;
}
