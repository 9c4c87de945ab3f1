/** How many comparisons had their nearest face in which range of distances, by day. */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { DistanceCount, MatchOutcome } from '../../../ports/store.ts';
import { dayOf } from '../../../protocol/time.ts';
import type { Sql } from '../driver.ts';

export async function countDistance(
  sql: Sql,
  { appId, mode }: GalleryKey,
  outcome: MatchOutcome,
  bin: number,
  at: number,
): Promise<void> {
  await sql.run(
    `INSERT INTO distance_days (app_id, mode, day, outcome, bin, count) VALUES ($1, $2, $3, $4, $5, 1)
     ON CONFLICT (app_id, mode, day, outcome, bin) DO UPDATE SET count = distance_days.count + 1`,
    appId,
    mode,
    dayOf(at),
    outcome,
    bin,
  );
}

export function distancesPerDay(
  sql: Sql,
  { appId, mode }: GalleryKey,
  from: number,
  to: number,
): Promise<DistanceCount[]> {
  return sql.all<DistanceCount>(
    `SELECT day, outcome, bin, count FROM distance_days
     WHERE app_id = $1 AND mode = $2 AND day >= $3 AND day <= $4 ORDER BY day, outcome, bin`,
    appId,
    mode,
    dayOf(from),
    dayOf(to),
  );
}
