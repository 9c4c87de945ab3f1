/** For `doctor`: checks that nobody has changed the audit log outside the service. */
import Database from 'better-sqlite3';
import type { Finding } from '../../ports/upkeep.ts';
import { grouped } from '../../protocol/amounts.ts';
import { keyedHashes } from '../secrets/hashes.ts';
import { databaseAt } from '../sql/schema.ts';
import { verifyAudit } from '../sql/store/audit.ts';
import { distrustful } from './distrustful.ts';
import { hashKeyIn } from './examine-keys.ts';
import { bad, failed, PATIENCE_MS, requireSchema } from './examine-reading.ts';
import type { StoreLocation } from './location.ts';
import { sqliteStatements } from './statements.ts';

export async function examineAudit(location: StoreLocation): Promise<Finding> {
  let database: Database.Database | undefined;
  try {
    const secrets = keyedHashes(hashKeyIn(location));
    // Not opened read-only: if closed last, such a connection leaves the -wal and -shm files behind.
    database = new Database(location.path, { fileMustExist: true, timeout: PATIENCE_MS });
    distrustful(database).pragma('query_only = ON');
    requireSchema(database, databaseAt(location.path));
    const sql = sqliteStatements(database);
    // One moment: a running server adds entries meanwhile.
    database.exec('BEGIN');
    const fault = await verifyAudit(sql, secrets);
    const row = await sql.get<{ n: number }>('SELECT COUNT(*) AS n FROM audit_log');
    const entries = `${grouped(row?.n ?? 0)} ${row?.n === 1 ? 'entry' : 'entries'}`;
    if (!fault) return { ok: true, detail: `${entries}, each follows from the one before` };
    return bad(
      `entry ${fault.seq} ${fault.reason}: somebody has written to the database file; compare with a backup`,
    );
  } catch (error) {
    return failed(error);
  } finally {
    database?.close();
  }
}
