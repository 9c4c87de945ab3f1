/** Conditions on the ends of rows. Held by test/jobs/clock.test.ts. */
import { MINUTE } from '../../../protocol/limits.ts';

/**
 * A window that would end farther away than it is long was written by a clock that ran ahead: it begins anew. Not to
 * the millisecond: requests of one moment are handled in any order, and clocks of nodes differ a little.
 */
export const SLACK = MINUTE;

/** In an upsert of a window: the one that is there has ended, or ends too late. */
export const isOver = (table: string, now: string) =>
  `(${table}.ends_at <= ${now} OR ${table}.ends_at > excluded.ends_at + ${SLACK})`;

/** The latest end that a window of this length can have. */
export const latestEnd = (now: number, length: number) => now + length + SLACK;

/**
 * The condition that a row found by its key has not expired. The sum keeps the planner of PostgreSQL from walking the
 * index of ends instead of the key's: its statistics lag behind the clock, so that it expects no row to end in the
 * future, where nearly all do. Held by test/postgres/unexpired.ts.
 */
export const unexpired = (column: string, now: string) => `${column} + 0 > ${now}`;
