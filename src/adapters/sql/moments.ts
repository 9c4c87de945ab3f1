/** The known time of a database; of one that never wrote it, the latest time that was stored. */
import type { Sql } from './driver.ts';

/** The first one that is not null. */
export const MOMENTS = [
  `SELECT CAST(value AS BIGINT) AS at FROM meta WHERE name = 'known_time'`,
  `SELECT MAX(at) AS at FROM (
     SELECT MAX(created_at) AS at FROM signing_keys UNION ALL SELECT MAX(created_at) AS at FROM users
     UNION ALL SELECT MAX(last_run) AS at FROM jobs UNION ALL SELECT MAX(at) AS at FROM auth_events) AS stored`,
];

/** Null: nothing was stored yet. */
export async function latestMoment(sql: Sql): Promise<number | null> {
  for (const text of MOMENTS) {
    const row = await sql.get<{ at: number | null }>(text);
    if (row?.at) return Number(row.at);
  }
  return null;
}
