/**
 * A cache for what every request needs and rarely changes: credentials, signing keys, gallery sequences. It is emptied
 * when this process changes such data (`forget`) or another process writes anything. So a key that is revoked on the
 * command line is rejected from the next request on.
 */
import type { Freshness } from './driver.ts';

/** Enough for many apps. A larger cache is simply emptied. */
const MOST = 10_000;

export interface Memory {
  /** Returns the remembered or the loaded answer. Null is not remembered: things that do not exist are countless. */
  recall<Answer>(key: string, load: () => Promise<Answer>): Promise<Answer>;
  /** Must be called after the commit of a write that changes remembered answers, before it is acknowledged. */
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
      // Marks may arrive out of order. An older one only costs a reload and hides no change.
      const current = await freshness.mark();
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
