/** Calendar arithmetic in UTC, and the one form in which times are answered. */
import { DAY } from '../protocol/limits.ts';

/** ISO 8601, UTC, milliseconds, `Z`. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}

/** `YYYY-MM-DD` of the moment, in UTC. */
export function utcDay(ms: number): string {
  return iso(ms).slice(0, 10);
}

/** `YYYY-MM` of the moment. Asked for at every sign-in, so the name of the last month is kept. */
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

/** Milliseconds from the moment to the next midnight. */
export function restOfDay(ms: number): number {
  return DAY - (ms % DAY);
}
