/** For `doctor`: how many users each app has in live mode. Held by test/cli/doctor-threshold.test.ts. */
import type { CountedApp } from '../../../ports/upkeep.ts';
import type { Sql } from '../driver.ts';
import { NOT_IMPORTING } from '../store/imports.ts';

export async function countApps(sql: Sql): Promise<CountedApp[]> {
  const rows = await sql.all<{ app_id: string; users: number; encoder: string | null }>(
    `SELECT app_id, COUNT(*) AS users,
       (SELECT encoder FROM galleries g WHERE g.app_id = users.app_id AND g.mode = 'live') AS encoder
     FROM users WHERE mode = 'live' AND ${NOT_IMPORTING} GROUP BY app_id ORDER BY app_id`,
  );
  return rows.map(({ app_id: appId, users, encoder }) => ({ appId, users, encoder }));
}
