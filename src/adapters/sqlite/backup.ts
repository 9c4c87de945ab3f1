/**
 * Copies a database while others work with it: one consistent state, rebuilt, so that it holds rows and nothing else. It
 * never holds the master secret, without which templates and signing keys stay sealed.
 */
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { Tell } from '../../ports/upkeep.ts';
import { rebuildBeside } from './compaction.ts';
import { sync } from './sync.ts';
import { watched } from './watched.ts';

/** The backup or restore cannot be made. The message names the file and the mend. */
export class BackupFault extends Error {}

/** While another process recovers the log of the database. */
const PATIENCE_MS = 10_000;

/** @returns its size in bytes. @throws BackupFault; then there is no file */
export async function backUp(database: string, file: string, tell: Tell): Promise<number> {
  if (!existsSync(database))
    throw new BackupFault(`there is no database ${database} to back up: check DATA_DIR`);
  if (existsSync(file)) throw new BackupFault(`${file} exists already: name a file that is still to be made`);
  const draft = draftOf(file);
  try {
    // Made anew, whatever has its name: a file or link of another user would get the faces.
    rmSync(draft, { force: true });
    closeSync(openSync(draft, 'wx', 0o600));
  } catch (error) {
    throw cannotWrite(file, error);
  }
  try {
    // Asked first: in the executable a thread finds the engine only where this one has loaded it.
    const total = bytesInUse(database);
    // On a thread: it may take minutes, in which a signal is to be heard.
    await watched(rebuildBeside({ path: database, into: draft }), draft, total, tell);
    sync(draft);
    appear(draft, file);
    return statSync(file).size;
  } catch (error) {
    if (error instanceof BackupFault) throw error;
    throw cannotWrite(file, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

function cannotWrite(file: string, cause: unknown): BackupFault {
  return new BackupFault(`cannot write the backup ${file}: ${(cause as Error).message}`, { cause });
}

/** Where the copy grows until it is whole. */
export function draftOf(file: string): string {
  return `${file}.part-${process.pid}`;
}

/** About what a rebuilt copy will take. */
function bytesInUse(database: string): number {
  const source = new Database(database, { readonly: true, fileMustExist: true, timeout: PATIENCE_MS });
  try {
    const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map(name =>
      Number(source.pragma(name, { simple: true })),
    ) as [number, number, number];
    return (pages - free) * size;
  } finally {
    source.close();
  }
}

/** Whole or not at all, and never in place of another file. */
export function appear(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new BackupFault(`${file} has appeared meanwhile: name another file`);
    // Some file systems have no links.
    renameSync(draft, file);
  }
  rmSync(draft, { force: true });
  sync(dirname(file));
}
