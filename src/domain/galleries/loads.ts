/**
 * Loads galleries into the matcher, and applies later changes. Each gallery runs one step at a time, and all callers
 * share it. A few changes are read at once, on the event loop. Many changes are read page by page, off the event
 * loop. The longest loads run one after another, so that each has the machine and the memory to itself. A load that
 * fails is not kept, and is retried only after a pause. A gallery that alone exceeds the memory budget is refused,
 * unless it has grown since it was loaded. Held by test/domain/gallery-loads.test.ts and
 * gallery-load-failures.test.ts.
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

/** The most changes that are read and decrypted on the event loop: about 10 ms of work. */
export const SMALL_STEP = 1_000;
/** Longer steps run one at a time and are logged. */
const LONG_STEP = 10_000;
const PROGRESS_MS = 2_000;
/**
 * After a failed load, the pause is this many times the length of the load. MOST_PAUSE_MS is the maximum, and the
 * pause when a retry cannot succeed.
 */
const PAUSE_FACTOR = 5;
const MOST_PAUSE_MS = 30_000;
/** Loads that fail sooner than this cost little, so there is no pause. */
const FREE_FAILURE_MS = 1_000;

export interface LoadState {
  readonly gallery: GalleryKey;
  /** Templates loaded, and how many there are; both 0 until the load's turn. */
  readonly loaded: number;
  readonly total: number;
}

interface Load {
  readonly gallery: GalleryKey;
  readonly from: number;
  readonly isLong: boolean;
  loaded: number;
  total: number;
  /** Templates that cannot be decrypted. */
  unreadable: number;
}

interface GalleryLoads {
  /** Takes one step toward the sequence. @throws Refusal service_unavailable, StoreUnavailable, MatcherUnavailable */
  advance(gallery: GalleryKey, wanted: number): Promise<void>;
  isLoading(gallery: GalleryKey): boolean;
  /** Loads with many changes, running or waiting. */
  longLoads(): LoadState[];
  /** Templates of loaded galleries that cannot be decrypted. */
  unreadable(): Unreadable[];
  /** The store no longer has the gallery. */
  forget(gallery: GalleryKey): void;
  /** Resolves when no long load is running or waiting. */
  longLoadsDone(): Promise<void>;
  /** Stops the long loads and refuses new ones. */
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
  let longCount = 0;
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
      // What was loaded before stays valid.
      if (from === 0) await matcher.drop(gallery).catch(() => undefined);
      const isSmall = wanted - from <= SMALL_STEP;
      if (isSmall && from > 0) throw error;
      const refusal = failed(load, error, clock.now() - began);
      // A failure of a single page belongs to the request that caused it.
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
    let reportedAt = clock.now();
    if (isLong) notice({ what: 'loading', gallery, loaded: 0, total: templates });
    for await (const changes of pages) {
      if (isLong && isClosing) {
        eraseRows(changes.added);
        throw closing();
      }
      const { count } = changes.added;
      if (!(await take(load, changes, templates))) return;
      load.loaded += count;
      if (!isLong || clock.now() - reportedAt < PROGRESS_MS) continue;
      reportedAt = clock.now();
      notice({ what: 'loading', gallery, loaded: load.loaded, total: templates });
    }
  }

  /** False if the changes are of no use: the gallery was erased, or dropped while they were read. */
  async function take(load: Load, changes: GalleryChanges, expected?: number): Promise<boolean> {
    const { gallery } = load;
    const isFromNothing = load.from === 0;
    if (changes.to <= changes.from || matcher.sequence(gallery) !== changes.from) {
      eraseRows(changes.added);
      return false;
    }
    if (changes.isBroken) {
      // It may contain erased users, and the list of who they are is gone. So it is loaded again from the beginning.
      eraseRows(changes.added);
      await matcher.drop(gallery);
      return false;
    }
    try {
      await matcher.apply(gallery, changes);
    } catch (error) {
      eraseRows(changes.added);
      // A gallery that could not be updated is not kept: the next request loads it again.
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

  /** Logs the failure, and turns any error into one that callers treat as temporary. */
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
    // A longer wait than any pause means that the clock was set back.
    if (left > 0 && left <= MOST_PAUSE_MS) throw unloadable(left);
    pauses.delete(name);
  }

  async function inTurn(task: () => Promise<void>): Promise<void> {
    longCount += 1;
    const turn = lastLong.then(() => {
      if (isClosing) throw closing();
      return task();
    });
    lastLong = turn.catch(() => undefined);
    try {
      await turn;
    } finally {
      longCount -= 1;
    }
  }

  return {
    advance,
    isLoading,

    longLoads: () =>
      [...loads.values()]
        .filter(({ load }) => load.isLong)
        .map(({ load: { gallery, loaded, total } }) => ({ gallery, loaded, total })),

    unreadable: unreadable.list,
    forget: unreadable.forget,

    async longLoadsDone() {
      while (longCount > 0) await lastLong;
    },

    async close() {
      isClosing = true;
      await Promise.allSettled([...loads.values()].map(({ done }) => done));
    },
  };
}

function unloadable(retryAfter: number, cause?: unknown): Refusal {
  return new Refusal('service_unavailable', 'The gallery cannot be loaded at the moment. Try again later.', {
    retryAfter,
    cause,
  });
}

function closing(): Refusal {
  return new Refusal('service_unavailable', 'The service is stopping. Try again soon.', {
    retryAfter: FREE_FAILURE_MS,
  });
}
