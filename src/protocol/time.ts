import { DAY } from './limits.ts';

/** The format of every time in a response: ISO 8601, UTC, milliseconds, `Z`. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}

/** `YYYY-MM-DD`, in UTC. */
export function utcDay(ms: number): string {
  return iso(ms).slice(0, 10);
}

/** The first moment of the day, in UTC. */
export function dayOf(ms: number): number {
  return ms - (ms % DAY);
}

/** For messages: `2026-03-15 12:00:00 UTC`. */
export function inUtc(ms: number): string {
  return `${iso(ms).slice(0, 19).replace('T', ' ')} UTC`;
}
