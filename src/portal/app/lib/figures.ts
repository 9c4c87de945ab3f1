/** What charts show, computed from what the internal API answers. Pure. Held by test/portal/app/figures.test.ts. */
import type { EventType } from '../../../protocol/event-types.ts';

export interface Day {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly counts: Readonly<Partial<Record<EventType, number>>>;
}

/** The parts of a bar, from the bottom to the top. */
export const OUTCOMES = ['signedIn', 'enrolled', 'refused'] as const;
type Outcome = (typeof OUTCOMES)[number];

const TYPES: Readonly<Record<Outcome, readonly EventType[]>> = {
  signedIn: ['match', 'email_code'],
  enrolled: ['enroll'],
  refused: ['match_failed', 'match_limited', 'email_code_failed', 'enroll_face_known'],
};

export type Bar = { readonly day: string; readonly total: number } & Readonly<Record<Outcome, number>>;

export function barsOf(days: readonly Day[]): Bar[] {
  return days.map(({ day, counts }) => {
    const of = (outcome: Outcome) => TYPES[outcome].reduce((sum, type) => sum + (counts[type] ?? 0), 0);
    const [signedIn, enrolled, refused] = [of('signedIn'), of('enrolled'), of('refused')];
    return { day, signedIn, enrolled, refused, total: signedIn + enrolled + refused };
  });
}

/** The end of an axis: the least of 1, 2 or 5 times a power of ten that holds the value. */
export function axisEnd(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find(each => each * power >= value) ?? 10;
  return factor * power;
}

/** What the month will have at its end, if it goes on as so far. Null on its first day: too early to say. */
export function forecast(used: number, now: Date): number | null {
  const begin = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const share = (now.getTime() - begin) / (end - begin);
  return now.getUTCDate() === 1 ? null : Math.round(used / share);
}

export interface DistanceRow {
  readonly outcome: 'match' | 'no_match';
  readonly bin: number;
  readonly count: number;
}

export interface Bin {
  /** Distances from here, and less than the next bin's. */
  readonly from: number;
  readonly matched: number;
  readonly notMatched: number;
}

/** Every bin from 0 to a little beyond the margin, so that the marks have a place. */
export function binsOf(rows: readonly DistanceRow[], width: number, reach: number): Bin[] {
  const last = Math.max(Math.ceil(reach / width), ...rows.map(({ bin }) => bin));
  const sums = new Map<string, number>();
  for (const { outcome, bin, count } of rows) {
    const name = `${outcome} ${bin}`;
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Array.from({ length: last + 1 }, (_, bin) => ({
    from: Number((bin * width).toFixed(2)),
    matched: sums.get(`match ${bin}`) ?? 0,
    notMatched: sums.get(`no_match ${bin}`) ?? 0,
  }));
}
