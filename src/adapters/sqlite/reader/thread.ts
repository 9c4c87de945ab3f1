/**
 * A thread that reads and decrypts parts of galleries, with its own connection that never writes. Statements end before
 * templates are decrypted, so that the log can be truncated in between. Decrypted templates are transferred with the
 * answer, or erased. Held by test/sqlite/gallery-reader.test.ts.
 */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { GalleryChanges } from '../../../ports/matcher.ts';
import { buffersOf, emptyRows } from '../../../ports/template-rows.ts';
import { fileIdOf } from '../../journal/files.ts';
import { UnknownKey } from '../../secrets/sealing.ts';
import { pageRows } from '../../sql/gallery-reader.ts';
import { countBetween } from '../../sql/store/galleries.ts';
import { openTemplates } from '../../sql/store/sealed-templates.ts';
import { searchUsers } from '../../sql/store/user-search.ts';
import { distrustSchema } from '../distrust-schema.ts';
import { isEngineFault } from '../faults.ts';
import { sqliteStatements } from '../statements.ts';
import { type Answer, END, type Job, type ThreadSettings } from './messages.ts';

/** Readers are locked out only for moments, while the log is recovered. */
const PATIENCE_MS = 5_000;

if (parentPort === null) throw new Error('thread.ts runs only as a thread of the gallery reader');
const port = parentPort;
const { path, fileId, isGentle } = workerData as ThreadSettings;
if (isGentle) yieldToOthers();
let database: Database.Database | null = null;
let sql: ReturnType<typeof sqliteStatements>;
/** Keeps the jobs in order, although each of them awaits. */
let last = Promise.resolve();

port.on('message', (job: Job | typeof END) => {
  last = last.then(() => (job === END ? end() : perform(job)));
});

async function perform(job: Job): Promise<void> {
  let answer: Answer;
  const buffers: ArrayBuffer[] = [];
  try {
    open();
    if (job.what === 'count') {
      answer = { number: job.number, count: await countBetween(sql, job.gallery, job.since, job.to) };
    } else if (job.what === 'search') {
      answer = { number: job.number, users: await searchUsers(sql, job, job) };
    } else {
      const changes = await read(job);
      buffers.push(...buffersOf(changes.added));
      answer = { number: job.number, changes };
    }
  } catch (error) {
    answer =
      error instanceof UnknownKey
        ? { number: job.number, isKeyUnknown: true }
        : { number: job.number, error: (error as Error).message, isEngineFault: isEngineFault(error) };
  }
  port.postMessage(answer, buffers);
}

/** On Linux a thread has a priority of its own; elsewhere this would slow the whole process. */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Some sandboxes refuse it: then searches take what they get.
  }
}

function open(): void {
  if (database) return;
  // Not opened read-only: if closed last, such a connection leaves the -wal and -shm files behind.
  const opened = distrustSchema(new Database(path, { fileMustExist: true, timeout: PATIENCE_MS }));
  opened.pragma('query_only = ON');
  if (fileIdOf(path) !== fileId) {
    opened.close();
    throw new Database.SqliteError('the database file was moved or replaced', 'SQLITE_CANTOPEN');
  }
  database = opened;
  sql = sqliteStatements(opened);
}

/** If the gallery no longer reaches `to`, it was erased: then there are no changes, and none will follow. */
async function read(job: Job & { what: 'page' }): Promise<GalleryChanges> {
  const { gallery, since: from, to } = job;
  const page = await pageRows(sql, job, job.withRemoved);
  if (!page) return { from, to: 0, removed: [], added: emptyRows(0) };
  const { rows: added, unreadable } = openTemplates(job, gallery, page.sealed);
  return { from, to, ...page.removals, added, unreadable };
}

function end(): void {
  database?.close();
  port.close();
}
