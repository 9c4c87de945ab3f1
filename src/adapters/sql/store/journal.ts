/** Erasures, which each engine copies from their table to a journal in a file. */

import type { Sql } from '../driver.ts';
import { countOf } from '../many-rows.ts';

/** An erased user or app. */
export interface Erasure {
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Number of erasures that are not in the journal yet. */
export const unjournaled = (sql: Sql) => countOf(sql, 'erasures WHERE journaled = 0');
