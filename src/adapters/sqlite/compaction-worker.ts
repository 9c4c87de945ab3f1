/** The thread of a compaction: rebuilds a database file in place, or into another file, and ends. */
import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { distrustSchema } from './distrust-schema.ts';

export interface Rebuilding {
  readonly path: string;
  /**
   * An empty file for the rebuilt copy; the database is only read then. Without it, the database is rebuilt in place.
   */
  readonly into?: string;
}

/** How long to wait for transactions of other processes. */
const PATIENCE_MS = 10_000;
/** Smaller files are rebuilt in memory, which leaves no copy on the disk; larger ones use a temporary file. */
const IN_MEMORY_BYTES = 256 * 1024 * 1024;

const { path, into } = workerData as Rebuilding;
const database = distrustSchema(
  new Database(path, { fileMustExist: true, timeout: PATIENCE_MS, readonly: into !== undefined }),
);
try {
  if (into === undefined) rebuild();
  else database.prepare('VACUUM INTO ?').run(into);
} finally {
  database.close();
}

function rebuild(): void {
  const [pages, size] = ['page_count', 'page_size'].map(name => database.pragma(name, { simple: true }));
  if (Number(pages) * Number(size) < IN_MEMORY_BYTES) database.pragma('temp_store = MEMORY');
  database.pragma('secure_delete = ON');
  database.exec('VACUUM');
}
