/**
 * Creates database files, and refuses one that has lost its contents. A file of no bytes is an empty database to
 * SQLite, so a service whose data was lost would start anew as if nothing had happened. For that to be certain, a
 * database of this program never has no bytes, whenever its first start ends. Held by test/sqlite/opening.test.ts.
 */
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { StoreLocation } from './location.ts';

/** Creates an empty database for this user only, unless there is a file. SQLite gives its other files this mode. */
export function makeDatabase(path: string): void {
  if (existsSync(path)) return;
  const draft = `${path}.new-${process.pid}`;
  rmSync(draft, { force: true });
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    const database = new Database(draft);
    // Writes the first page.
    database.pragma('journal_mode = WAL');
    database.close();
    place(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Never replaces a file that another process has just created. */
function place(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    // Some file systems have no links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' && !existsSync(path)) renameSync(draft, path);
  }
}

/** Why an existing file has lost its contents; null: it has not. */
export function lossOf({ path, masterSecretFile, erasuresFile }: StoreLocation): string | null {
  if (sizeOf(path) !== 0) return null;
  const log = `${path}-wal`;
  const witness = [masterSecretFile, erasuresFile].find(existsSync) ?? (sizeOf(log) ? log : null);
  if (witness === null) return null;
  return `the database ${path} is empty, but ${witness} exists, so its data was lost: move the empty file away and restore a backup, or remove it to start without data`;
}

/** Null: there is no such file. */
function sizeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null;
}
