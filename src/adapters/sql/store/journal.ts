/** Erasures, which each engine copies from their table to a journal in a file. */
import type { Sql } from '../driver.ts';

/** An erased user or app. */
export interface Erasure {
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Number of erasures that are not in the journal yet. */
export async function unjournaled(sql: Sql): Promise<number> {
  const row = await sql.get<{ count: number }>('SELECT COUNT(*) AS count FROM erasures WHERE journaled = 0');
  return row?.count ?? 0;
}
