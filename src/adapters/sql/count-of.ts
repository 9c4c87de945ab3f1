/** Counts rows. */
import type { Sql, Value } from './driver.ts';

/** @param from a table and its conditions, as after FROM */
export async function countOf(sql: Sql, from: string, ...values: Value[]): Promise<number> {
  const row = await sql.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${from}`, ...values);
  return row?.n ?? 0;
}
