/**
 * Readers who wait for something new in a feed. While anybody waits, the node asks the store for the places of all
 * their galleries in one read, again and again: nothing has to travel between nodes, and a commit wakes nobody. Held by
 * test/domain/readers.test.ts and test/http/feeds-waiting.test.ts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { GalleryKey } from '../../ports/matcher.ts';
import type { RevocationPlace, Store } from '../../ports/store.ts';
import { SECOND, WAITING_PER_KEY } from '../../protocol/limits.ts';
import type { KeyCaller } from '../caller.ts';
import { Refusal } from '../refusal.ts';

/** How often the places are read. Everybody hears within a second. */
const LOOK_MS = 200;
const AGAIN_MS = 5 * SECOND;

/** What a reader found, and up to where it has seen everything. */
export interface Found<Answer> {
  readonly answer: Answer;
  readonly isEmpty: boolean;
  readonly seen: RevocationPlace;
}

export interface Wait {
  readonly seconds: number;
  /** The reader has left. */
  readonly gone: AbortSignal;
}

export interface Readers {
  /**
   * Reads until something is found or the time is over. Before a reader who has waited gets an answer, its key is
   * looked at again.
   * @param read what comes after a place; from where the reader stands, the first time
   * @throws Refusal rate_limited if too many readers of the key wait; unauthorized
   */
  read<Answer>(
    caller: Pick<KeyCaller, 'gallery' | 'keyId' | 'requireKey'>,
    wait: Wait,
    read: (from: RevocationPlace | null) => Promise<Found<Answer>>,
  ): Promise<Answer>;
  /** Answers everybody who waits. From now on nobody does. */
  close(): void;
}

interface Reader {
  readonly gallery: GalleryKey;
  readonly seen: RevocationPlace;
  readonly ends: number;
  readonly go: () => void;
}

/** @param now milliseconds that only grow: nobody waits longer because a clock was set */
export function createReaders({ outboxPlaces }: Pick<Store, 'outboxPlaces'>, now: () => number): Readers {
  const waiting = new Set<Reader>();
  const byKey = new Map<string, number>();
  let isWatching = false;
  let isLooking = false;
  let isClosed = false;

  function leave(reader: Reader): void {
    waiting.delete(reader);
    reader.go();
  }

  async function look(): Promise<void> {
    const time = now();
    for (const reader of waiting) if (reader.ends <= time) leave(reader);
    if (isLooking || waiting.size === 0) return;
    isLooking = true;
    try {
      const readers = Map.groupBy(waiting, ({ gallery }) => `${gallery.mode}:${gallery.appId}`);
      const groups = [...readers.values()];
      const places = await outboxPlaces(groups.map(([first]) => (first as Reader).gallery));
      for (const [at, group] of groups.entries())
        for (const reader of group) if (isBehind(reader.seen, places[at])) leave(reader);
    } catch {
      // The database is away. Whoever has waited long enough gets that as the answer.
    } finally {
      isLooking = false;
    }
  }

  async function watch(): Promise<void> {
    if (isWatching) return;
    isWatching = true;
    while (waiting.size > 0) {
      await delay(LOOK_MS);
      // Nobody waits longer because the store does not answer.
      void look();
    }
    isWatching = false;
  }

  function change(reader: Omit<Reader, 'go'>, gone: AbortSignal): Promise<void> {
    return new Promise(done => {
      const waiter = { ...reader, go };
      const left = () => leave(waiter);
      function go() {
        gone.removeEventListener('abort', left);
        done();
      }
      waiting.add(waiter);
      gone.addEventListener('abort', left);
      void watch();
    });
  }

  function enter(keyId: string): () => void {
    const count = byKey.get(keyId) ?? 0;
    if (count >= WAITING_PER_KEY)
      throw new Refusal(
        'rate_limited',
        `wait: ${WAITING_PER_KEY} requests of this key are waiting already. Read without "wait", or with another key.`,
        { retryAfter: AGAIN_MS },
      );
    byKey.set(keyId, count + 1);
    return () => {
      const left = (byKey.get(keyId) ?? 1) - 1;
      if (left > 0) byKey.set(keyId, left);
      else byKey.delete(keyId);
    };
  }

  return {
    async read({ gallery, keyId, requireKey }, { seconds, gone }, read) {
      const ends = now() + seconds * SECOND;
      let found = await read(null);
      if (!found.isEmpty || seconds === 0 || isClosed) return found.answer;
      const exit = enter(keyId);
      try {
        const isOver = () => isClosed || gone.aborted || now() >= ends;
        while (found.isEmpty && !isOver()) {
          await change({ gallery, seen: found.seen, ends }, gone);
          if (!gone.aborted) found = await read(found.seen);
        }
      } finally {
        exit();
      }
      await requireKey();
      return found.answer;
    },

    close() {
      isClosed = true;
      for (const reader of waiting) leave(reader);
    },
  };
}

const isBehind = (seen: RevocationPlace, place: RevocationPlace | undefined) =>
  place !== undefined && (place.seq > seen.seq || place.all > seen.all);
