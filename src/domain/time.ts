/** Calendar arithmetic in UTC, and the one form in which times are answered. */
import { DAY } from '../protocol/limits.ts';

/** ISO 8601, UTC, milliseconds, `Z`. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** `YYYY-MM` of the moment. */
export function monthOf(ms: number): string {
  return iso(ms).slice(0, 7);
}

export function nextMonth(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** Milliseconds from the moment to the next midnight. */
export function restOfDay(ms: number): number {
  return DAY - (ms % DAY);
}
