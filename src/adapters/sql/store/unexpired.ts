/**
 * The condition that a row found by its key has not expired. The sum keeps the planner of PostgreSQL from walking the
 * index of ends instead of the key's: its statistics lag behind the clock, so that it expects no row to end in the
 * future, where nearly all do. Held by test/postgres/unexpired.ts.
 */
export const unexpired = (column: string, now: string) => `${column} + 0 > ${now}`;
