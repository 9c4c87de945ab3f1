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

/** In SQL, for the user and network of these parameters. `when`: whether to do it. */
export const rememberNetwork = (of: Record<'user' | 'network' | 'app' | 'endsAt', string>, when: string) => ({
  // Once a day is enough.
  add: `INSERT INTO known_networks (user_id, network, app_id, ends_at)
    SELECT CAST(${of.user} AS TEXT), CAST(${of.network} AS TEXT), CAST(${of.app} AS TEXT), CAST(${of.endsAt} AS BIGINT) WHERE ${when}
    ON CONFLICT (user_id, network) DO UPDATE SET ends_at = excluded.ends_at
    WHERE known_networks.ends_at < excluded.ends_at - 86400000`,
  forget: `DELETE FROM known_networks WHERE user_id = ${of.user} AND network <> ${of.network} AND ${when}
    AND network NOT IN (SELECT network FROM known_networks WHERE user_id = ${of.user} AND network <> ${of.network}
      ORDER BY ends_at DESC, network LIMIT ${NETWORKS_PER_USER - 1})`,
});

const STATEMENTS = rememberNetwork({ user: '$1', network: '$2', app: '$3', endsAt: '$4' }, '1 = 1');

export async function remember(
  sql: Sql,
  appId: string,
  userId: string,
  { network, endsAt }: KnownNetwork,
): Promise<void> {
  await sql.run(STATEMENTS.add, userId, network, appId, endsAt);
  await sql.run(STATEMENTS.forget, userId, network);
}
