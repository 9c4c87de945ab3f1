/**
 * Rewrites small tables of users, operators and keys (vacuum.ts) once a day, over all nodes. A vacuum makes the place
 * of deleted rows free, but their bytes stay until others are written there. A rewritten table has only rows that are
 * there; the server deletes the old file. Nobody can use a table meanwhile, so large ones are left to the vacuum, and a
 * table that somebody uses is left to the next call. Held by test/postgres/rewrite.ts.
 */
import { DAY, HOUR } from '../../protocol/limits.ts';
import type { Driver, Sql } from '../sql/driver.ts';
import { ROWS } from '../sql/scope.ts';
import { takeLease } from './leases.ts';
import { NOW, textList } from './own-words.ts';
import { type Connection, TABLES } from './vacuum.ts';

/** With its indexes: a disk writes as much in a second or less. */
const MOST_BYTES = 64 * 1024 * 1024;
/** While it waits for a table, others wait behind it. */
const PATIENCE_MS = 200;
/** The day begins at four (UTC), when the jobs of the night have deleted what is old. */
const BEGINS = 4 * HOUR;
const LOCK_NOT_AVAILABLE = '55P03';

/** Row of `meta` with the moment of the last time. @param table an expression */
const nameOf = (table: string) => `'rewritten_' || ${table}`;
const dayOf = (moment: string) => `(${moment} - ${BEGINS}) / ${DAY}`;
const DUE = `SELECT tables.name FROM unnest(CAST($1 AS TEXT[])) AS tables (name)
  WHERE pg_total_relation_size(CAST(tables.name AS regclass)) <= ${MOST_BYTES} AND NOT EXISTS (
    SELECT 1 FROM meta WHERE meta.name = ${nameOf('tables.name')}
      AND ${dayOf('CAST(value AS BIGINT)')} = ${dayOf(NOW)})`;
const DONE = `INSERT INTO meta (name, value) VALUES (${nameOf('CAST($1 AS TEXT)')}, CAST(${NOW} AS TEXT))
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** @param owner of this process alone */
export async function rewriteDaily(
  { read, write }: Pick<Driver, 'read' | 'write'>,
  onConnection: Connection,
  owner: string,
): Promise<void> {
  const due = () => read.all<{ name: string }>(DUE, textList(TABLES));
  if ((await due()).length === 0) return;
  const lease = await takeLease({ write }, 'rewrite', owner);
  if (!lease) return;
  try {
    // Asked again: another node may have done it before it gave the lease back.
    for (const { name } of await due())
      if (!lease.signal.aborted && (await onConnection(sql => rewritten(sql, name))))
        await write(ROWS, sql => sql.run(DONE, name));
  } finally {
    await lease.release();
  }
}

/** False: somebody uses it. */
async function rewritten(sql: Sql, table: string): Promise<boolean> {
  await sql.run(`SET lock_timeout = ${PATIENCE_MS}`);
  try {
    await sql.run(`VACUUM FULL ${table}`);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  } finally {
    await sql.run('RESET lock_timeout');
  }
}
