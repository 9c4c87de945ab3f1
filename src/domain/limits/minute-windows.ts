/**
 * Request limits over fixed windows of a minute, which begin with their first counted request. They live in memory:
 * at these lengths a restart may forget them. All last as long, so they end in the order in which they began, which is
 * the order of the map: the first are forgotten as they end. test/domain/minute-windows.test.ts holds it.
 */
import type { Clock } from '../../ports/system.ts';
import { MINUTE } from '../../protocol/limits.ts';
import { Refusal } from '../refusal.ts';

interface State {
  count: number;
  endsAt: number;
}

/** Most windows at a time, some 100 MB. Beyond it the oldest goes: whoever has so many addresses is not held by them. */
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
   * @param limit 0: switched off
   * @throws Refusal rate_limited beyond the limit
   */
  take(key: string, limit: number, message: string): void {
    if (limit === 0) return;
    const now = this.#clock.now();
    this.#forget(now);
    let state = this.#states.get(key);
    if (!state || state.endsAt <= now) {
      state = { count: 0, endsAt: now + MINUTE };
      // Set anew, not changed: it is the youngest now.
      this.#states.delete(key);
      this.#states.set(key, state);
    }
    state.count += 1;
    if (state.count > limit) throw new Refusal('rate_limited', message, { retryAfter: state.endsAt - now });
  }

  /** Windows held; for tests of their number. */
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
