/**
 * After a write without an answer, others are refused at once, but for one a second: each would wait for as long, all
 * that come meanwhile behind it, and hold a connection of the server. Held by test/postgres/connections.ts.
 */
import { StoreUnavailable } from '../../ports/store.ts';
import { isTimeout } from './faults.ts';

const RETRY_MS = 1_000;

interface CircuitBreaker {
  /** Before a write. @throws StoreUnavailable */
  admit(): void;
  /** After a write that was answered. */
  succeeded(): void;
  failed(fault: StoreUnavailable): void;
}

/** @param opened called once, with the first write that had no answer */
export function createCircuitBreaker(opened: () => void): CircuitBreaker {
  let isOpen = false;
  let triedAt = 0;
  return {
    admit() {
      if (!isOpen) return;
      if (performance.now() - triedAt < RETRY_MS)
        throw new StoreUnavailable(new Error('a write had no answer'));
      triedAt = performance.now();
    },
    succeeded() {
      isOpen = false;
    },
    failed(fault) {
      if (!isTimeout(fault)) return;
      if (!isOpen) opened();
      isOpen = true;
    },
  };
}
