/**
 * Makes a consistent copy of a database that is in use. The copy is rebuilt, so it contains only current rows. It never
 * contains the master secret, without which templates and signing keys cannot be decrypted.
 */
import { closeSync, existsSync, fstatSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { OnProgress } from '../../ports/upkeep.ts';
import { databaseAt, SchemaMisfit } from '../sql/schema.ts';
import { rebuildBeside } from './compaction.ts';
import { requireSchema, withFile } from './examine-reading.ts';
import { fileIdIn, fileIdOf } from './file-id.ts';
import { sync } from './sync.ts';
import { watched } from './watched.ts';

/** A backup or restore has failed. The message names the file and the fix. */
export class BackupFault extends Error {}

/** How long to wait while another process recovers the database's log. */
const PATIENCE_MS = 10_000;

/** @returns its size in bytes. @throws BackupFault, SchemaMisfit; then there is no file */
export async function backUp(database: string, file: string, onProgress: OnProgress): Promise<number> {
  if (!existsSync(database))
    throw new BackupFault(`there is no database ${database} to back up: check DATA_DIR`);
  if (existsSync(file)) throw new BackupFault(`${file} already exists: choose a file that does not exist`);
  const draft = draftOf(file);
  let id: string;
  try {
    // Always a new file: an existing file or link of another user would get the data.
    rmSync(draft, { force: true });
    const handle = openSync(draft, 'wx', 0o600);
    id = fileIdIn(fstatSync(handle));
    closeSync(handle);
  } catch (error) {
    throw cannotWrite(file, error);
  }
  try {
    // Called first: in the executable, threads need the engine that this thread has loaded.
    const total = bytesInUse(database);
    // In a thread, because it may take minutes, and signals must still be handled.
    await watched(rebuildBeside({ path: database, into: draft }), draft, total, onProgress);
    sync(draft);
    publish(draft, file, id);
    return statSync(file).size;
  } catch (error) {
    if (error instanceof BackupFault || error instanceof SchemaMisfit) throw error;
    throw cannotWrite(file, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

function cannotWrite(file: string, cause: unknown): BackupFault {
  return new BackupFault(`cannot write the backup ${file}: ${(cause as Error).message}`, { cause });
}

/** Name of the copy until it is complete. */
export function draftOf(file: string): string {
  return `${file}.part-${process.pid}`;
}

/** Approximate size of a rebuilt copy. @throws SchemaMisfit: no restore would take the copy */
function bytesInUse(database: string): number {
  return withFile(
    database,
    source => {
      requireSchema(source, databaseAt(database));
      const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map(name =>
        Number(source.pragma(name, { simple: true })),
      ) as [number, number, number];
      return (pages - free) * size;
    },
    PATIENCE_MS,
  );
}

/**
 * Gives a complete draft its final name. Never replaces another file.
 * @param id the draft that this process has made (file-id.ts)
 * @throws BackupFault
 */
export function publish(draft: string, file: string, id: string): void {
  if (fileIdOf(draft) !== id)
    throw new BackupFault(`another program has removed or replaced ${draft}: run this command again`);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new BackupFault(`another program has just created ${file}: choose another file`);
    // Some file systems have no links.
    renameSync(draft, file);
  }
  rmSync(draft, { force: true });
  sync(dirname(file));
}
