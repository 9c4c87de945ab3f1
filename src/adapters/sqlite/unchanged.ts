/**
 * Reads a database file, and changes neither it nor the files beside it. Held by test/sqlite/opening.test.ts.
 */
import { existsSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { PATIENCE_MS, using, withFile } from './examine-reading.ts';

/** For a file that other programs may open at the same time. */
export function withUnchanged<Answer>(path: string, ask: (database: Database.Database) => Answer): Answer {
  // Whoever closes last copies a log into the database and removes it, unless the connection was read-only. But such a
  // connection would leave a log where there was none.
  if (!existsSync(`${path}-wal`)) return withFile(path, ask);
  return using(new Database(path, { fileMustExist: true, readonly: true, timeout: PATIENCE_MS }), ask);
}

/** For a copy from elsewhere, which no other program has open unless there is a -shm file. */
export function withCopy<Answer>(path: string, ask: (database: Database.Database) => Answer): Answer {
  const shared = `${path}-shm`;
  const isNew = !existsSync(shared);
  try {
    return withUnchanged(path, ask);
  } finally {
    if (isNew) rmSync(shared, { force: true });
  }
}
