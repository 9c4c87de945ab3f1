/**
 * When keys were last used, by the hour. A request only notes it in memory; it is written later, many keys at once, so
 * that no request waits for it. Held by test/domain/key-uses.test.ts.
 */
import type { AppStore } from '../ports/store.ts';
import type { Clock } from '../ports/system.ts';
import { HOUR } from '../protocol/limits.ts';

export interface KeyUses {
  note(keyId: string): void;
  /** Writes what was noted since the last call. What cannot be written is written next time. */
  flush(): Promise<void>;
}

export function createKeyUses(store: Pick<AppStore, 'noteKeyUses'>, clock: Clock): KeyUses {
  /** The hour that is stored or will be. */
  const known = new Map<string, number>();
  let unwritten = new Map<string, number>();
  return {
    note(keyId) {
      const hour = Math.floor(clock.now() / HOUR) * HOUR;
      if (known.get(keyId) === hour) return;
      known.set(keyId, hour);
      unwritten.set(keyId, hour);
    },
    async flush() {
      if (unwritten.size === 0) return;
      const uses = unwritten;
      unwritten = new Map();
      try {
        await store.noteKeyUses(uses);
      } catch (error) {
        unwritten = new Map([...uses, ...unwritten]);
        throw error;
      }
    },
  };
}
