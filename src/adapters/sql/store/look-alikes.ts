/**
 * Pairs of users whom a face could not tell apart. A gallery keeps the latest. Held by test/contract/look-alikes.ts.
 */
import type { GalleryKey } from '../../../ports/matcher.ts';
import type { LookAlikes } from '../../../ports/store.ts';
import { LOOK_ALIKES_KEPT } from '../../../protocol/limits.ts';
import type { Mode } from '../../../protocol/mode.ts';
import type { Sql } from '../driver.ts';
import type { Vault } from '../keys/vault.ts';
import { findUser } from './users.ts';

/** @param numbers two users. Nothing is counted if one is gone */
export async function countLookAlikes(
  sql: Sql,
  vault: Vault,
  gallery: GalleryKey,
  numbers: readonly [number, number],
  at: number,
): Promise<void> {
  const [one, two] = [
    await findUser(sql, vault, gallery, { number: numbers[0] }),
    await findUser(sql, vault, gallery, { number: numbers[1] }),
  ];
  if (!one || !two || one.id === two.id) return;
  const isLater = one.createdAt - two.createdAt || numbers[0] - numbers[1];
  const [younger, older] = isLater > 0 ? [one, two] : [two, one];
  const { appId, mode } = gallery;
  await sql.run(
    `INSERT INTO look_alikes (younger_id, older_id, app_id, mode, count, last_at) VALUES ($1, $2, $3, $4, 1, $5)
     ON CONFLICT (younger_id, older_id) DO UPDATE SET count = look_alikes.count + 1, last_at = $5`,
    ...[younger.id, older.id, appId, mode, at],
  );
  await sql.run(
    `DELETE FROM look_alikes WHERE app_id = $1 AND mode = $2 AND last_at < (SELECT MIN(last_at) FROM (
       SELECT last_at FROM look_alikes WHERE app_id = $1 AND mode = $2 ORDER BY last_at DESC LIMIT ${LOOK_ALIKES_KEPT}) AS kept)`,
    appId,
    mode,
  );
}

export async function lookAlikes(
  sql: Sql,
  since: number,
  least: number,
  limit: number,
): Promise<LookAlikes[]> {
  const rows = await sql.all<{ younger: string; older: string; app_id: string; mode: Mode; count: number }>(
    `SELECT younger_id AS younger, older_id AS older, app_id, mode, count FROM look_alikes WHERE last_at >= $1 AND count >= $2
     ORDER BY count DESC, younger_id, older_id LIMIT $3`,
    ...[since, least, limit],
  );
  return rows.map(({ app_id: appId, mode, ...pair }) => ({ gallery: { appId, mode }, ...pair }));
}
