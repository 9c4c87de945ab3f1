/**
 * Request limits over fixed windows of a minute. A window starts with its first counted request. Held by
 * test/domain/minute-windows.test.ts.
 */
import type { Counted, MinuteCounter } from '../../ports/nodes.ts';
import type { Clock } from '../../ports/system.ts';
import { MINUTE } from '../../protocol/limits.ts';
import { Refusal } from '../refusal.ts';

/**
 * The most windows at a time, about 100 MB. Beyond that the oldest is removed: these limits cannot stop a client with
 * that many addresses.
 */
const MOST = 500_000;

export interface MinuteWindows {
  /**
   * Counts one request, refused or not.
   * @param limit 0: off
   * @throws Refusal rate_limited beyond the limit; StoreUnavailable
   */
  take(key: string, limit: number, message: string): Promise<void>;
}

export function createMinuteWindows(counter: MinuteCounter, clock: Clock): MinuteWindows {
  return {
    async take(key, limit, message) {
      if (limit === 0) return;
      const now = clock.now();
      const { count, endsAt } = await counter.count(key, now);
      if (count > limit) throw new Refusal('rate_limited', message, { retryAfter: endsAt - now });
    },
  };
}

/**
 * The counter of a single node: windows are so short that a restart may forget them. All have the same length, so they
 * end in the order of the map, and the first ones are removed as they end.
 */
export class MinutesInMemory implements MinuteCounter {
  readonly #most: number;
  /** Oldest first. */
  readonly #states = new Map<string, Counted>();

  constructor(most = MOST) {
    this.#most = most;
  }

  async count(key: string, now: number): Promise<Counted> {
    this.#forget(now);
    const state = this.#states.get(key);
    // A window that ends too late was begun by a clock that ran ahead.
    const isOpen = state !== undefined && state.endsAt > now && state.endsAt <= now + 2 * MINUTE;
    const counted = isOpen
      ? { count: state.count + 1, endsAt: state.endsAt }
      : { count: 1, endsAt: now + MINUTE };
    // Deleted and added again, so that it becomes the youngest.
    if (!isOpen) this.#states.delete(key);
    this.#states.set(key, counted);
    return counted;
  }

  /** Number of windows, for tests. */
  get size(): number {
    return this.#states.size;
  }

  #forget(now: number): void {
    for (const [key, { endsAt }] of this.#states) {
      if (endsAt > now && this.#states.size < this.#most) return;
      this.#states.delete(key);
    }
  }
}
