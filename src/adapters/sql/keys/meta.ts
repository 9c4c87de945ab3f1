/** Entries of the meta table. */
import type { Sql } from '../driver.ts';

async function read(sql: Sql, name: string): Promise<string | undefined> {
  return (await sql.get<{ value: string }>('SELECT value FROM meta WHERE name = $1', name))?.value;
}

async function put(sql: Sql, name: string, value: string): Promise<void> {
  await sql.run(
    'INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2',
    name,
    value,
  );
}

/** Identifies the master secret. Undefined in a new database. */
export const checkValue = (sql: Sql) => read(sql, 'master_secret_check');

/** The same, and it stays so until the transaction ends; `UPDATE`: nobody else may rely on it meanwhile. */
export async function lockedCheckValue(sql: Sql, lock: 'SHARE' | 'UPDATE'): Promise<string | undefined> {
  await sql.get(`SELECT 1 FROM meta WHERE name = 'master_secret_check' FOR ${lock}`);
  return checkValue(sql);
}

export const setCheckValue = (sql: Sql, value: string) => put(sql, 'master_secret_check', value);

/** How many master secrets there were, including the current one. */
export async function generation(sql: Sql): Promise<number> {
  return Number((await read(sql, 'master_secret_generation')) ?? 1);
}

export const setGeneration = (sql: Sql, value: number) => put(sql, 'master_secret_generation', String(value));

/** Wrapped keys were overwritten: a rebuild must remove copies that the engine may have made. */
export const oweRebuild = (sql: Sql) => put(sql, 'rebuild_owed', '');
export const isRebuildOwed = async (sql: Sql) => (await read(sql, 'rebuild_owed')) !== undefined;
export const rebuildDone = (sql: Sql) => sql.run(`DELETE FROM meta WHERE name = 'rebuild_owed'`);

/** When a rebuild last ended. */
export const rebuiltAt = async (sql: Sql) => Number((await read(sql, 'compacted_at')) ?? 0);
export const setRebuiltAt = (sql: Sql, moment: number) => put(sql, 'compacted_at', String(moment));

/**
 * Tokens issued from this second on are accepted: the database was restored then, or all signing keys were replaced. 0:
 * neither ever was.
 */
export const tokensCountFrom = async (sql: Sql) => Number((await read(sql, 'restored_at')) ?? 0);
export async function setTokensCountFrom(sql: Sql, second: number): Promise<void> {
  await put(sql, 'restored_at', String(Math.max(await tokensCountFrom(sql), second)));
}

/** Whether there ever was an app. */
export const hadApp = async (sql: Sql) => (await read(sql, 'had_app')) !== undefined;
export const noteApp = (sql: Sql) => put(sql, 'had_app', '');

export const auditHead = (sql: Sql) => read(sql, 'audit_head');
export const setAuditHead = (sql: Sql, hash: string) => put(sql, 'audit_head', hash);

/** The schema version of the oldest programs that can use this database. No migration has raised it yet. */
export const oldestProgram = async (sql: Sql) => Number((await read(sql, 'oldest_program')) ?? 1);

/** The table of erasures is complete from this time on; absent: from the beginning. It never moves back. */
export async function setErasuresReach(sql: Sql, moment: number): Promise<void> {
  await put(sql, 'erasures_reach', String(Math.max(await erasuresReach(sql), moment)));
}

export const erasuresReach = async (sql: Sql) => Number((await read(sql, 'erasures_reach')) ?? 0);

/** The known time (ports/store/retention.ts). */
export const setKnownTime = (sql: Sql, moment: number) => put(sql, 'known_time', String(moment));

/** The known time; of a database that never wrote it, the latest time that was stored: the first that is not null. */
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
