/** Counts requests over windows of a minute. */

export interface Counted {
  /** How many the window has had, with this one. */
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

export interface MinuteCounter {
  /**
   * Counts one request, refused or not. A window begins with its first request. Of many requests at once, on whatever
   * node, each gets a count of its own. A restart may forget windows.
   * @throws StoreUnavailable if other nodes cannot be asked
   */
  count(key: string, now: number): Promise<Counted>;
}
