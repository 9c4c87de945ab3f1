/**
 * The challenges that this process has issued and not used yet: a match finds its own here, instead of in the database,
 * whose pages the reading connection has to fetch anew after every commit. As with everything in the memory, what
 * another process writes empties it, from the next turn of the event loop on. Only for an engine with one node.
 * Held by test/contract.
 */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { Challenge } from '../../../ports/store.ts';
import type { Memory } from '../memory.ts';

export interface OpenChallenges {
  /** @param store adds it to the database. @returns what `store` returns */
  add(challenge: Challenge, store: () => Promise<boolean>): Promise<boolean>;
  /** False: unknown here, so the database decides. */
  has(id: string, gallery: GalleryKey, now: number): Promise<boolean>;
  /** Must be called before the write that may use it. */
  use(id: string): void;
}

export function openChallenges(memory: Memory): OpenChallenges {
  const name = (id: string) => `challenge:${id}`;
  return {
    add: async (challenge, store) =>
      (await memory.recall(name(challenge.id), async () => ((await store()) ? challenge : null))) !== null,

    async has(id, { appId, mode }, now) {
      const known = await memory.recall<Challenge | null>(name(id), async () => null);
      return (
        known !== null &&
        known.gallery.appId === appId &&
        known.gallery.mode === mode &&
        known.expiresAt > now
      );
    },

    use: id => memory.drop(name(id)),
  };
}
