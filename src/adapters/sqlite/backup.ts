/**
 * Makes a consistent copy of a database that is in use. The copy is rebuilt, so it contains only current rows. It never
 * contains the master secret, without which templates and signing keys cannot be decrypted.
 */
import { closeSync, existsSync, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { BackupFault, type OnProgress } from '../../ports/upkeep.ts';
import { fileIdIn, publish, sync } from '../journal/files.ts';
import { databaseAt, SchemaMisfit } from '../sql/schema.ts';
import { rebuildBeside } from './compaction.ts';
import { requireSchema, withFile } from './examine-reading.ts';
import { watched } from './watched.ts';

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
