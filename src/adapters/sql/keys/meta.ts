/** Entries of the meta table: the secret's check value, owed rebuilds, the reach of the erasures, the known time. */
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

/** The schema version of the oldest programs that can use this database. No migration has raised it yet. */
export const oldestProgram = async (sql: Sql) => Number((await read(sql, 'oldest_program')) ?? 1);

/** The table of erasures is complete from this time on; absent: from the beginning. It never moves back. */
export async function setErasuresReach(sql: Sql, moment: number): Promise<void> {
  await put(sql, 'erasures_reach', String(Math.max(await erasuresReach(sql), moment)));
}

export const erasuresReach = async (sql: Sql) => Number((await read(sql, 'erasures_reach')) ?? 0);

/** The known time (ports/store/retention.ts); ../moments.ts reads it. */
export const setKnownTime = (sql: Sql, moment: number) => put(sql, 'known_time', String(moment));
