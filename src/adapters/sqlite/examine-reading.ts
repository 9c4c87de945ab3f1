/** For `doctor`: reads a database that may be in use, without changing it. */
import Database from 'better-sqlite3';
import type { Finding } from '../../ports/upkeep.ts';

export const PATIENCE_MS = 2_000;

export function withDatabase<Answer>(path: string, ask: (database: Database.Database) => Answer): Answer {
  // Not opened read-only: if closed last, such a connection leaves the -wal and -shm files behind.
  const database = new Database(path, { fileMustExist: true, timeout: PATIENCE_MS });
  try {
    database.pragma('query_only = ON');
    return ask(database);
  } finally {
    database.close();
  }
}

export function bad(detail: string): Finding {
  return { ok: false, detail };
}
