/**
 * How close the faces of sign-ins were, as counts over whole days. Small counts are merged into their month, and not
 * shown if the month has few too: a single sign-in's distance would help to rebuild a template.
 * Held by test/domain/operating-distances.test.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { DistanceCount, MatchOutcome } from '../../ports/store.ts';
import { DAY, DISTANCES_SHOWN } from '../../protocol/limits.ts';
import { dayOf, monthOf, nextMonth, startOfMonth } from '../../protocol/time.ts';
import type { AdminDeps } from '../deps.ts';

interface MonthOfDistances {
  /** `YYYY-MM` */
  readonly month: string;
  readonly outcome: MatchOutcome;
  readonly bin: number;
  readonly count: number;
}

export interface Distances {
  readonly days: readonly DistanceCount[];
  /** Counts that are too small for a day. */
  readonly months: readonly MonthOfDistances[];
}

/** Only days that are over. */
export async function distancesOf(
  { store, clock }: Pick<AdminDeps, 'store' | 'clock'>,
  gallery: GalleryKey,
  from: number,
  to: number,
): Promise<Distances> {
  const yesterday = dayOf(clock.now()) - DAY;
  // Whole months: otherwise two ranges that differ by a day would show what a small count of that day was.
  const rows = await store.distancesPerDay(
    gallery,
    startOfMonth(from),
    Math.min(nextMonth(to) - DAY, yesterday),
  );
  const days = rows.filter(({ count, day }) => count >= DISTANCES_SHOWN && day >= dayOf(from) && day <= to);
  const small = new Map<string, MonthOfDistances>();
  for (const { day, outcome, bin, count } of rows.filter(row => row.count < DISTANCES_SHOWN)) {
    const month = monthOf(day);
    // The current month still grows, and two looks at it would show what a day has added.
    if (month === monthOf(clock.now())) continue;
    const name = `${month} ${outcome} ${bin}`;
    small.set(name, { month, outcome, bin, count: (small.get(name)?.count ?? 0) + count });
  }
  return { days, months: [...small.values()].filter(({ count }) => count >= DISTANCES_SHOWN) };
}
