/**
 * After a write without an answer, others are refused at once, but for one a second: each would wait for as long, all
 * that come meanwhile behind it, and hold a connection of the server. Held by test/postgres/connections.ts.
 */
import { StoreUnavailable } from '../../ports/store.ts';
import { isSilence } from './faults.ts';

const RETRY_MS = 1_000;

export interface Silence {
  /** Before a write. @throws StoreUnavailable */
  enter(): void;
  /** After a write that was answered. */
  ended(): void;
  note(fault: StoreUnavailable): void;
}

/** @param begun called once, with the first write that had no answer */
export function createSilence(begun: () => void): Silence {
  let isSilent = false;
  let triedAt = 0;
  return {
    enter() {
      if (!isSilent) return;
      if (performance.now() - triedAt < RETRY_MS)
        throw new StoreUnavailable(new Error('a write had no answer'));
      triedAt = performance.now();
    },
    ended() {
      isSilent = false;
    },
    note(fault) {
      if (!isSilence(fault)) return;
      if (!isSilent) begun();
      isSilent = true;
    },
  };
}
