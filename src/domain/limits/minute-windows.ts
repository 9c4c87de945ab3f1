/**
 * Request limits over fixed windows of a minute. A window starts with its first counted request. Windows live in
 * memory: they are so short that a restart may forget them. All have the same length, so they end in the order of the
 * map, and the first ones are removed as they end. Held by test/domain/minute-windows.test.ts.
 */
import type { Clock } from '../../ports/system.ts';
import { MINUTE } from '../../protocol/limits.ts';
import { Refusal } from '../refusal.ts';

interface State {
  count: number;
  endsAt: number;
}

/**
 * The most windows at a time, about 100 MB. Beyond that the oldest is removed: these limits cannot stop a client with
 * that many addresses.
 */
const MOST = 500_000;

export class MinuteWindows {
  readonly #clock: Clock;
  readonly #most: number;
  /** Oldest first. */
  readonly #states = new Map<string, State>();

  constructor(clock: Clock, most = MOST) {
    this.#clock = clock;
    this.#most = most;
  }

  /**
   * Counts one request, refused or not.
   * @param limit 0: off
   * @throws Refusal rate_limited beyond the limit
   */
  take(key: string, limit: number, message: string): void {
    if (limit === 0) return;
    const now = this.#clock.now();
    this.#forget(now);
    let state = this.#states.get(key);
    if (!state || state.endsAt <= now) {
      state = { count: 0, endsAt: now + MINUTE };
      // Deleted and added again, so that it becomes the youngest.
      this.#states.delete(key);
      this.#states.set(key, state);
    }
    state.count += 1;
    if (state.count > limit) throw new Refusal('rate_limited', message, { retryAfter: state.endsAt - now });
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
