/**
 * Brings galleries of the matcher forward, one step of each at a time, shared by all who ask. A step of few changes is
 * read at once; one of many comes page by page from beside the event loop, and the longest wait for each other, so that
 * each has the machine and the memory to itself. What cannot be loaded to the end is not kept, and not tried again and
 * again. Refuses a gallery that by itself exceeds the memory budget, unless it has grown while it was loaded.
 * test/domain/gallery-loads.test.ts and gallery-load-failures.test.ts hold it.
 */

import {
  type GalleryChanges,
  type GalleryKey,
  type Matcher,
  MatcherUnavailable,
} from '../../ports/matcher.ts';
import { type Store, StoreUnavailable } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import { eraseRows } from '../../ports/template-rows.ts';
import { Refusal } from '../refusal.ts';
import { type GalleryMemory, nameOf } from './memory.ts';
import type { GalleryNotice } from './notices.ts';
import { createUnreadableTemplates, type Unreadable } from './unreadable.ts';

/** Changes that are read and opened on the event loop: at most about 10 ms of it. */
export const SMALL_STEP = 1_000;
/** Longer steps take turns, and are told of. */
const LONG_STEP = 10_000;
const PROGRESS_MS = 2_000;
/** A load that failed late is tried again after so many times what it took; at most, and where trying is in vain: */
const PAUSE_FACTOR = 5;
const MOST_PAUSE_MS = 30_000;
/** Failures that come sooner cost little, and may be over with the next request. */
const FREE_FAILURE_MS = 1_000;

export interface LoadState {
  readonly gallery: GalleryKey;
  /** Templates that were loaded, of so many that there are to load; 0 of 0 before its turn. */
  readonly loaded: number;
  readonly total: number;
}

interface Load {
  readonly gallery: GalleryKey;
  readonly from: number;
  readonly isLong: boolean;
  loaded: number;
  total: number;
  /** Templates that do not open. */
  unreadable: number;
}

export interface GalleryLoads {
  /** One step toward the sequence. @throws Refusal service_unavailable, StoreUnavailable, MatcherUnavailable */
  advance(gallery: GalleryKey, wanted: number): Promise<void>;
  isLoading(gallery: GalleryKey): boolean;
  /** The long ones. */
  underWay(): LoadState[];
  /** Templates of loaded galleries that do not open. */
  unreadable(): Unreadable[];
  /** The store has the gallery no more. */
  forget(gallery: GalleryKey): void;
  /** Resolves when no long load is under way or waits. */
  quiet(): Promise<void>;
  /** Ends the long loads, and refuses new ones. */
  close(): Promise<void>;
}

class TooLarge extends Error {
  readonly templates: number;

  constructor(templates: number) {
    super('the gallery exceeds the memory budget');
    this.templates = templates;
  }
}

export function createGalleryLoads(
  { store, matcher, clock }: { store: Store; matcher: Matcher; clock: Clock },
  memory: GalleryMemory,
  notice: (what: GalleryNotice) => void,
): GalleryLoads {
  const loads = new Map<string, { load: Load; done: Promise<void> }>();
  const pauses = new Map<string, number>();
  const grown = new Set<string>();
  const unreadable = createUnreadableTemplates(() => clock.now());
  let lastLong: Promise<unknown> = Promise.resolve();
  let longOnes = 0;
  let isClosing = false;

  const isLoading = (gallery: GalleryKey) => loads.has(nameOf(gallery));

  function advance(gallery: GalleryKey, wanted: number): Promise<void> {
    const name = nameOf(gallery);
    const running = loads.get(name);
    if (running) return running.done;
    const from = matcher.sequence(gallery);
    const load = { gallery, from, isLong: wanted - from > LONG_STEP, loaded: 0, total: 0, unreadable: 0 };
    const done = run(load, wanted).finally(() => loads.delete(name));
    loads.set(name, { load, done });
    return done;
  }

  async function run(load: Load, wanted: number): Promise<void> {
    await advanced(load, wanted);
    const { gallery, unreadable: templates } = load;
    if (templates > 0) notice({ what: 'unreadable', gallery, templates });
  }

  async function advanced(load: Load, wanted: number): Promise<void> {
    const { gallery, from, isLong } = load;
    refusePaused(gallery);
    if (!memory.isKnown(gallery)) memory.touch(gallery);
    let began = clock.now();
    try {
      if (wanted - from <= SMALL_STEP) return await smallStep(load);
      if (!isLong) return await manyPages(load);
      await inTurn(() => {
        began = clock.now();
        return manyPages(load);
      });
      if (matcher.sequence(gallery) < wanted) return;
      notice({ what: 'loaded', gallery, templates: load.loaded, ms: clock.now() - began });
    } catch (error) {
      // What was loaded before is as good as it was.
      if (from === 0) await matcher.drop(gallery).catch(() => undefined);
      const isSmall = wanted - from <= SMALL_STEP;
      if (isSmall && from > 0) throw error;
      const refusal = failed(load, error, clock.now() - began);
      // A fault of a single page is the fault of the request that met it.
      throw isSmall && !(error instanceof TooLarge) ? error : refusal;
    }
  }

  async function smallStep(load: Load): Promise<void> {
    await take(load, await store.galleryChanges(load.gallery, load.from, SMALL_STEP));
  }

  async function manyPages(load: Load): Promise<void> {
    const { gallery, from, isLong } = load;
    const { templates, pages } = await store.loadGallery(gallery, from);
    load.total = templates;
    let toldAt = clock.now();
    if (isLong) notice({ what: 'loading', gallery, loaded: 0, total: templates });
    for await (const changes of pages) {
      if (isLong && isClosing) {
        eraseRows(changes.added);
        throw closing();
      }
      const { count } = changes.added;
      if (!(await take(load, changes, templates))) return;
      load.loaded += count;
      if (!isLong || clock.now() - toldAt < PROGRESS_MS) continue;
      toldAt = clock.now();
      notice({ what: 'loading', gallery, loaded: load.loaded, total: templates });
    }
  }

  /** False for changes that lead nowhere: the gallery was erased, or dropped while they were read. */
  async function take(load: Load, changes: GalleryChanges, expected?: number): Promise<boolean> {
    const { gallery } = load;
    const isFromNothing = load.from === 0;
    if (changes.to <= changes.from || matcher.sequence(gallery) !== changes.from) {
      eraseRows(changes.added);
      return false;
    }
    if (changes.isBroken) {
      // Somebody who was erased may be in it, and nobody says who: it is loaded anew.
      eraseRows(changes.added);
      await matcher.drop(gallery);
      return false;
    }
    try {
      await matcher.apply(gallery, changes);
    } catch (error) {
      eraseRows(changes.added);
      // What could not be brought further is not kept: the next request begins anew.
      await matcher.drop(gallery).catch(() => undefined);
      throw error;
    }
    unreadable.applied(gallery, changes);
    load.unreadable += changes.unreadable?.length ?? 0;
    const isTooLarge = memory.exceeds(gallery, isFromNothing ? expected : undefined);
    if (isTooLarge && isFromNothing) throw new TooLarge(Math.max(expected ?? 0, memory.templatesOf(gallery)));
    if (isTooLarge && !grown.has(nameOf(gallery))) {
      grown.add(nameOf(gallery));
      notice({ what: 'too_large', gallery, templates: memory.templatesOf(gallery), isRefused: false });
    }
    if (!isTooLarge) grown.delete(nameOf(gallery));
    await memory.makeRoom(gallery, isLoading);
    return true;
  }

  /** Tells the log, and makes of any fault one that callers know as passing. */
  function failed({ gallery }: Load, error: unknown, ms: number): unknown {
    if (isClosing) return closing();
    if (error instanceof TooLarge) {
      pauses.set(nameOf(gallery), clock.now() + MOST_PAUSE_MS);
      notice({ what: 'too_large', gallery, templates: error.templates, isRefused: true });
      return unloadable(MOST_PAUSE_MS);
    }
    const pause = ms < FREE_FAILURE_MS ? 0 : Math.min(ms * PAUSE_FACTOR, MOST_PAUSE_MS);
    if (pause > 0) pauses.set(nameOf(gallery), clock.now() + pause);
    notice({ what: 'failed', gallery, cause: error });
    if (error instanceof StoreUnavailable || error instanceof MatcherUnavailable) return error;
    return unloadable(Math.max(pause, FREE_FAILURE_MS), error);
  }

  function refusePaused(gallery: GalleryKey): void {
    const name = nameOf(gallery);
    const left = (pauses.get(name) ?? 0) - clock.now();
    // Longer than any pause: the clock was set back.
    if (left > 0 && left <= MOST_PAUSE_MS) throw unloadable(left);
    pauses.delete(name);
  }

  async function inTurn(task: () => Promise<void>): Promise<void> {
    longOnes += 1;
    const turn = lastLong.then(() => {
      if (isClosing) throw closing();
      return task();
    });
    lastLong = turn.catch(() => undefined);
    try {
      await turn;
    } finally {
      longOnes -= 1;
    }
  }

  return {
    advance,
    isLoading,

    underWay: () =>
      [...loads.values()]
        .filter(({ load }) => load.isLong)
        .map(({ load: { gallery, loaded, total } }) => ({ gallery, loaded, total })),

    unreadable: unreadable.list,
    forget: unreadable.forget,

    async quiet() {
      while (longOnes > 0) await lastLong;
    },

    async close() {
      isClosing = true;
      await Promise.allSettled([...loads.values()].map(({ done }) => done));
    },
  };
}

function unloadable(retryAfter: number, cause?: unknown): Refusal {
  return new Refusal('service_unavailable', 'The gallery cannot be loaded now. Try again later.', {
    retryAfter,
    cause,
  });
}

function closing(): Refusal {
  return new Refusal('service_unavailable', 'The service is being stopped. Try again soon.', {
    retryAfter: FREE_FAILURE_MS,
  });
}
