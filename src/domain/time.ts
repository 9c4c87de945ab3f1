/** Calendar arithmetic in UTC, and the format of times in responses. */
import { DAY } from '../protocol/limits.ts';
import { iso } from '../protocol/time.ts';

export { iso, isoOrNull, utcDay } from '../protocol/time.ts';

/** `YYYY-MM` of the moment. Every sign-in needs it, so the last month is cached. */
export function monthOf(ms: number): string {
  if (!(ms >= last.from && ms < last.to)) {
    const date = new Date(ms);
    const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    last = { from, to: nextMonth(ms), name: iso(ms).slice(0, 7) };
  }
  return last.name;
}

let last = { from: 0, to: 0, name: '' };

export function nextMonth(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** Milliseconds until the next midnight. */
export function restOfDay(ms: number): number {
  return DAY - (ms % DAY);
}
