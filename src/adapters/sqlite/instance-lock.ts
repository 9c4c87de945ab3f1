/**
 * Keeps out a second server: a lock on an empty file, held while this process lives. The system releases it when the
 * process ends, so a crashed server leaves no stale lock; the file itself stays and means nothing. It is SQLite's lock
 * on a database file, because Node.js has no file locks. Held by test/cli/two-servers.long.test.ts.
 */
import { closeSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { LockHeld } from '../sql/lock-held.ts';
import { isLocked } from './faults.ts';

/** @returns a function that releases the lock. @throws LockHeld; Error naming a file that cannot be locked */
export function lockFile(file: string): () => void {
  let database: Database.Database | null = null;
  try {
    makeFile(file);
    database = new Database(file, { timeout: 0, fileMustExist: true });
    // Nothing is ever written to the file or beside it.
    database.pragma('journal_mode = OFF');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (isLocked(error)) throw new LockHeld(file, { cause: error });
    // Not a fault of the file: the engine did not load.
    if (!(error as NodeJS.ErrnoException).code) throw error;
    throw new Error(
      `cannot lock ${file}: this user must be able to write to it (${(error as Error).message})`,
      {
        cause: error,
      },
    );
  }
  const held = database;
  return () => held.close();
}

/** Mode 0600. An existing file is not opened: closing it again would release a lock that this process holds. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
