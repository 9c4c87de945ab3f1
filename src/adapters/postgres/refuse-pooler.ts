/**
 * Refuses a pooler between the service and the server, such as PgBouncer, that gives a connection another session for
 * every transaction: settings, prepared statements and locks of a session do not hold then, and requests fail one by
 * one. Two connections ask for their sessions, each also while the other one holds its session in a transaction: then
 * no pooler can give both what they had. Held by test/postgres/pooler.long.test.ts.
 */
import type pg from 'pg';
import { StoreMisfit } from '../../ports/store.ts';
import type { PostgresAddress } from './address.ts';
import { createConnections } from './connections.ts';

const SESSION = `SELECT pg_backend_pid() AS pid, current_setting('face_sign_in.mark', TRUE) AS mark`;

/** @throws StoreMisfit, StoreUnavailable */
export async function refusePooler(address: PostgresAddress): Promise<void> {
  const connections = createConnections(address, 2);
  const clients: pg.PoolClient[] = [];
  try {
    clients.push(await connections.take(), await connections.take());
    const [one, two] = clients as [pg.PoolClient, pg.PoolClient];
    if ((await hold(one, two)) && (await hold(two, one))) return;
    throw new StoreMisfit(
      `between this node and the database ${address.shown} is a pooler that shares sessions, as PgBouncer does with pool_mode=transaction: set pool_mode=session there, or name the server itself in ${address.setting}`,
    );
  } finally {
    // Not given back: what was set must not reach anybody else.
    for (const client of clients) client.release(true);
    await connections.close();
  }
}

/** Whether both keep their sessions, also while the first one holds its own. */
async function hold(first: pg.PoolClient, second: pg.PoolClient): Promise<boolean> {
  const begun = [await mark(first, 'first'), await mark(second, 'second')];
  const areKept = async () => (await sessionOf(first)) === begun[0] && (await sessionOf(second)) === begun[1];
  // Without a transaction first: a pooler of one session would let the other one wait for ever.
  if (!(await areKept())) return false;
  await first.query('BEGIN');
  const wereKept = await areKept();
  await first.query('ROLLBACK');
  return wereKept && areKept();
}

async function mark(client: pg.PoolClient, name: string): Promise<string> {
  await client.query(`SELECT set_config('face_sign_in.mark', $1, FALSE)`, [name]);
  return sessionOf(client);
}

async function sessionOf(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ pid: number; mark: string | null }>(SESSION);
  return `${rows[0]?.pid} ${rows[0]?.mark}`;
}
