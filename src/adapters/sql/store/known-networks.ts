/**
 * The networks from which a user has signed in, as keyed hashes of user and network, so that a row means nothing for
 * anyone else. They expire, and are erased with the user. Held by test/contract/known-networks.ts.
 */
import type { KnownNetwork } from '../../../ports/store.ts';
import { NETWORKS_PER_USER } from '../../../protocol/limits.ts';
import type { Sql } from '../driver.ts';
import { unexpired } from './unexpired.ts';

export async function knowsNetwork(sql: Sql, userId: string, network: string, now: number): Promise<boolean> {
  const known = `SELECT 1 FROM known_networks WHERE user_id = $1 AND network = $2 AND ${unexpired('ends_at', '$3')}`;
  return (await sql.get(known, userId, network, now)) !== undefined;
}

export async function forgetNetworks(sql: Sql, userId: string): Promise<void> {
  await sql.run('DELETE FROM known_networks WHERE user_id = $1', userId);
}

export async function remember(
  sql: Sql,
  appId: string,
  userId: string,
  { network, endsAt }: KnownNetwork,
): Promise<void> {
  // Once a day is enough.
  await sql.run(
    `INSERT INTO known_networks (user_id, network, app_id, ends_at)
     SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT)
     WHERE NOT EXISTS
       (SELECT 1 FROM known_networks WHERE user_id = $1 AND network = $2 AND ends_at >= $4 - 86400000)
     ON CONFLICT (user_id, network) DO UPDATE SET ends_at = excluded.ends_at`,
    userId,
    network,
    appId,
    endsAt,
  );
  await sql.run(
    `DELETE FROM known_networks WHERE user_id = $1 AND network <> $2 AND network NOT IN
       (SELECT network FROM known_networks WHERE user_id = $1 AND network <> $2
        ORDER BY ends_at DESC, network LIMIT ${NETWORKS_PER_USER - 1})`,
    userId,
    network,
  );
}
