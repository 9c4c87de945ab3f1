/**
 * Keeps out a second server: a lock on an empty file, held while this process lives. The system releases it when the
 * process ends, so a crashed server leaves no stale lock; the file itself stays and means nothing. It is SQLite's lock
 * on a database file, because Node.js has no file locks. Held by test/cli/two-servers.long.test.ts and
 * test/sqlite/one-restore.test.ts.
 */
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { fileIdOf } from './files.ts';

/**
 * @returns a function that releases the lock; null: another holds it
 * @throws Error naming a file that cannot be locked
 */
export function lockFile(file: string): (() => void) | null {
  let database: Database.Database | null = null;
  let id: string | null = null;
  let wasRemoved = false;
  try {
    makeFile(file);
    id = fileIdOf(file);
    database = new Database(file, { timeout: 0, fileMustExist: true });
    // Nothing is ever written to the file or beside it.
    database.pragma('journal_mode = OFF');
    database.exec('BEGIN EXCLUSIVE');
    wasRemoved = fileIdOf(file) !== id;
    if (wasRemoved) throw new Error('it was removed');
  } catch (error) {
    // Whoever held it may have removed it meanwhile (lockBriefly): then others lock another file of this name. Asked
    // before closing, because a closed file's number may be the next one's.
    wasRemoved ||= id === '' || (id !== null && id !== fileIdOf(file));
    database?.close();
    if (isLocked(error) || wasRemoved) return null;
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

/** The same lock, but release also removes the file, unless it was there before. */
export function lockBriefly(file: string): (() => void) | null {
  const isNew = !existsSync(file);
  const release = lockFile(file);
  if (!release) return null;
  return () => {
    if (isNew) rmSync(file, { force: true });
    release();
  };
}

export function isLocked(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

/** Mode 0600. An existing file is not opened: closing it again would release a lock that this process holds. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
