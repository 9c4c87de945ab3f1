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

/** In nine characters that sort as moments do. */
export const sortable = (ms: number) => ms.toString(36).padStart(9, '0');

/** `YYYY-MM` of the moment. Every sign-in needs it, so the last month is cached. */
export function monthOf(ms: number): string {
  if (!(ms >= last.from && ms < last.to)) {
    last = { from: startOfMonth(ms), to: nextMonth(ms), name: iso(ms).slice(0, 7) };
  }
  return last.name;
}

let last = { from: 0, to: 0, name: '' };

/** @param later by so many months */
export function startOfMonth(ms: number, later = 0): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}

export const nextMonth = (ms: number) => startOfMonth(ms, 1);

/** Milliseconds until the next midnight. */
export function restOfDay(ms: number): number {
  return DAY - (ms % DAY);
}
