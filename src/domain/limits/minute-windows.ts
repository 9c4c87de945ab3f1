/**
 * Request limits over fixed windows of a minute, which begin with their first counted request. They live in memory:
 * at these lengths a restart may forget them. test/domain/minute-windows.test.ts holds it.
 */
import type { Clock } from '../../ports/clock.ts';
import { MINUTE } from '../../protocol/limits.ts';
import { Refusal } from '../refusal.ts';

interface State {
  count: number;
  endsAt: number;
}

export class MinuteWindows {
  readonly #clock: Clock;
  readonly #states = new Map<string, State>();
  #sweepAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts one request, refused or not.
   * @param limit 0: switched off
   * @throws Refusal rate_limited beyond the limit
   */
  take(key: string, limit: number, message: string): void {
    if (limit === 0) return;
    const now = this.#clock.now();
    this.#sweep(now);
    let state = this.#states.get(key);
    if (!state || state.endsAt <= now) {
      state = { count: 0, endsAt: now + MINUTE };
      this.#states.set(key, state);
    }
    state.count += 1;
    if (state.count > limit) throw new Refusal('rate_limited', message, { retryAfter: state.endsAt - now });
  }

  /** Windows held; for tests of their number. */
  get size(): number {
    return this.#states.size;
  }

  /** Forgets windows that are over, once a minute, so that many addresses do not pile up. */
  #sweep(now: number): void {
    if (now < this.#sweepAt) return;
    for (const [key, state] of this.#states) if (state.endsAt <= now) this.#states.delete(key);
    this.#sweepAt = now + MINUTE;
  }
}
