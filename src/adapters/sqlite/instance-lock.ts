/**
 * Keeps a second server off: a lock on an empty file, held for as long as this process lives. The system drops it with the
 * process, however that ends, so that nothing stale can be in the way; the file stays, and means nothing by itself. It is
 * the engine's own lock on a file of databases, because Node.js has none for files. Held by test/cli/two-servers.long.test.ts.
 */
import { closeSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { LockHeld } from '../sql/lock-held.ts';
import { isLocked } from './faults.ts';

/** @returns gives it back. @throws LockHeld; Error naming the file when it cannot be locked at all */
export function lockFile(file: string): () => void {
  let database: Database.Database | null = null;
  try {
    makeFile(file);
    database = new Database(file, { timeout: 0, fileMustExist: true });
    // Nothing is ever written, in it or beside it: the lock is all there is.
    database.pragma('journal_mode = OFF');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (isLocked(error)) throw new LockHeld(file, { cause: error });
    // Not of the file: the engine itself does not load.
    if (!(error as NodeJS.ErrnoException).code) throw error;
    throw new Error(
      `cannot lock ${file}, which this user has to be able to write: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
  const held = database;
  return () => held.close();
}

/** For this user alone. It is never opened once it exists: closing it again would drop a lock that this process has. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
