/**
 * A cache for what every request needs and rarely changes: credentials, signing keys, gallery sequences. It is emptied
 * when this process changes such data (`forget`) or another process writes anything. So a key that is revoked on the
 * command line is rejected from the next request on. On an engine with several writers: postgres/shared-memory.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { GalleryState } from '../../ports/store.ts';
import type { Sql } from './driver.ts';

/** Enough for many apps. A larger cache is simply emptied. */
const MOST = 10_000;

export interface Memory {
  /** Returns the remembered or the loaded answer. Null is not remembered: things that do not exist are countless. */
  recall<Answer>(key: string, load: () => Promise<Answer>): Promise<Answer>;
  /** As it was committed before the call, or later. */
  galleryState(gallery: GalleryKey): Promise<GalleryState>;
  /** Must be called in the transaction of a write that changes remembered answers, so that other nodes forget them. */
  raiseVersion(sql: Sql): Promise<void>;
  /** Must be called after the commit of such a write, before it is acknowledged. */
  forget(): void;
  /** The same after a write that changes only the state of galleries. */
  forgetGalleries(): void;
}

/** @param mark as `ask` of `answersUnder` */
export function createMemory(
  mark: () => Promise<number | string>,
  load: (gallery: GalleryKey) => Promise<GalleryState>,
): Memory {
  const { forget, ...answers } = answersUnder(mark);
  return {
    ...answers,
    galleryState: gallery => answers.recall(`gallery:${gallery.mode}:${gallery.appId}`, () => load(gallery)),
    raiseVersion: async () => undefined,
    forget,
    forgetGalleries: forget,
  };
}

/**
 * Answers that are remembered as long as a mark stays the same.
 * @param ask returns a mark that changes whenever another connection may have changed what is remembered, and never
 *   returns to an earlier value. It reflects everything that was acknowledged before the call or, in one process on a
 *   file, before this turn of the event loop. It throws StoreUnavailable: then remembered data must not be used
 */
export function answersUnder(ask: () => Promise<number | string>): Pick<Memory, 'recall' | 'forget'> {
  const answers = new Map<string, unknown>();
  let mark: number | string | null = null;
  let forgotten = 0;

  function forget(): void {
    forgotten += 1;
    answers.clear();
  }

  return {
    async recall<Answer>(key: string, load: () => Promise<Answer>): Promise<Answer> {
      // Marks may arrive out of order. An older one only costs a reload and hides no change.
      const current = await ask();
      if (current !== mark || answers.size > MOST) {
        mark = current;
        forget();
      }
      const known = answers.get(key);
      if (known !== undefined) return known as Answer;
      const before = forgotten;
      const answer = await load();
      // Do not remember what was read before a change.
      if (before === forgotten && answer !== null) answers.set(key, answer);
      return answer;
    },
    forget,
  };
}
