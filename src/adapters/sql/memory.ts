/**
 * Remembers what rarely changes and every request asks for: credentials, signing keys, gallery sequences. An answer is
 * good until this process changes something of the kind (`forget`) or another process writes anything at all: a key
 * revoked on the command line is refused with the very next request.
 */
import type { Freshness } from './driver.ts';

/** Enough for many apps; beyond it everything is forgotten rather than managed. */
const MOST = 10_000;

export interface Memory {
  /** The remembered answer, or the loaded one. Null answers are not kept: there is no end of what does not exist. */
  recall<Answer>(key: string, load: () => Promise<Answer>): Promise<Answer>;
  /** To be called when a write that changes remembered answers is committed, before it is acknowledged. */
  forget(): void;
}

export function createMemory(freshness: Freshness): Memory {
  const answers = new Map<string, unknown>();
  let mark: number | string | null = null;
  let forgotten = 0;

  function forget(): void {
    forgotten += 1;
    answers.clear();
  }

  return {
    async recall<Answer>(key: string, load: () => Promise<Answer>): Promise<Answer> {
      // Of marks that come in another order than they were asked for, the older one costs a look and hides nothing.
      const current = await freshness.mark();
      if (current !== mark || answers.size > MOST) {
        mark = current;
        forget();
      }
      const known = answers.get(key);
      if (known !== undefined) return known as Answer;
      const before = forgotten;
      const answer = await load();
      // What was read before a change must not be kept after it.
      if (before === forgotten && answer !== null) answers.set(key, answer);
      return answer;
    },
    forget,
  };
}
