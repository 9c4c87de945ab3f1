/** For `doctor`: checks a database without changing it. Each finding is one line. */
import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Finding, Trace } from '../../ports/upkeep.ts';
import { sizeOf } from '../../protocol/amounts.ts';
import { readErasures } from '../journal/erasure-journal.ts';
import { mastersOf } from '../journal/examine-keys.ts';
import { keyedHashes } from '../secrets/master.ts';
import { bad, fittingMaster, unfinishedImport } from '../sql/examine/findings.ts';
import { MOMENTS } from '../sql/keys/meta.ts';
import { hashKeyOf } from '../sql/keys/prepare.ts';
import { migrations } from '../sql/migrations.ts';
import { SchemaMisfit } from '../sql/schema.ts';
import { erasureHash } from '../sql/store/erasure.ts';
import { PATIENCE_MS, withDatabase, withSql } from './examine-reading.ts';
import type { StoreLocation } from './location.ts';

/** Checks that the database can be opened and written, is intact, and has a schema that this program knows. */
export async function examineDatabase({ path }: StoreLocation): Promise<Finding> {
  if (!existsSync(path))
    return bad(`there is no database ${path}: start the service once, or check DATA_DIR`);
  try {
    return await withSql(path, async (sql, database, version) => {
      const check = database.pragma('quick_check(1)', { simple: true });
      if (check !== 'ok') return bad(`${path} is damaged (${check}): restore a backup`);
      tryWriting(path);
      const found = `${path}, ${sizeOf(statSync(path).size)}, schema version ${version} of ${migrations().length}`;
      return (await unfinishedImport(sql)) ?? { ok: true, detail: found };
    });
  } catch (error) {
    const { message } = error as Error;
    return bad(error instanceof SchemaMisfit ? message : `${path} cannot be used: ${message}`);
  }
}

/** The latest time that the service has stored; null: none that can be read. */
export function latestMoment({ path }: StoreLocation): number | null {
  if (!existsSync(path)) return null;
  try {
    return withDatabase(path, latestMomentIn);
  } catch {
    return null;
  }
}

/** In a database whose schema was checked. */
export function latestMomentIn(database: Database.Database): number | null {
  try {
    const moments = MOMENTS.map(text => database.prepare(text).pluck().get());
    return Number(moments.find(Boolean)) || null;
  } catch {
    return null;
  }
}

/** @throws Error if database or secret cannot be used */
export async function traceOf(location: StoreLocation, id: string): Promise<Trace> {
  const [hash, exists] = await withSql(location.path, async sql => {
    const key = await hashKeyOf(sql, await fittingMaster(sql, mastersOf(location)));
    return [
      erasureHash(keyedHashes(key), id),
      (await sql.get('SELECT 1 FROM users WHERE id = $1', id)) !== undefined,
    ];
  });
  const erasure = readErasures(location.erasuresFile).find(each => each.hash === hash);
  return { exists, erasedAt: erasure?.at ?? null };
}

/** Takes and releases the write lock. @throws Error */
function tryWriting(path: string): void {
  const database = new Database(path, { fileMustExist: true, timeout: PATIENCE_MS });
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK');
  } finally {
    database.close();
  }
}
