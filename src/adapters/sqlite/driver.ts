/**
 * The SQLite driver: one connection writes, through a queue; one reads; one makes snapshots. A write never blocks the
 * event loop to wait for a lock (a timer tries again); a read blocks it for at most 200 ms; only opening may take
 * longer. It refuses to write to a file that was moved or replaced.
 *
 * A commit is acknowledged only when the write-ahead log is on the disk. SQLite would block the event loop while it
 * syncs the log. So it runs with `synchronous = NORMAL`, where it syncs only around checkpoints, and this driver syncs
 * the log asynchronously. Held by test/contract.
 */

import { closeSync, fdatasync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { StoreUnavailable } from '../../ports/store.ts';
import { fileIdOf, sync as syncNow } from '../journal/files.ts';
import { isLocked } from '../journal/instance-lock.ts';
import { type Driver, writeOneBy } from '../sql/driver.ts';
import { statementsOf } from '../sql/migrations.ts';
import { createProbing } from '../sql/probing.ts';
import { createWriteQueue, type Job } from '../sql/write-queue.ts';
import { compactor } from './compaction.ts';
import { distrustSchema } from './distrust-schema.ts';
import { makeDatabase } from './new-database.ts';
import { createSnapshots } from './snapshots.ts';
import { sqliteStatements } from './statements.ts';

/** How long a write waits for a transaction of another process, before the store counts as unavailable. */
const LOCK_PATIENCE_MS = 10_000;
const LOCK_RETRY_MS = 3;
/** Readers are locked out only for moments, while the log is recovered. */
const READ_PATIENCE_MS = 200;
/** Pages in the write-ahead log before a checkpoint. Each checkpoint costs two more disk syncs. */
const CHECKPOINT_PAGES = 4_000;
/** A longer write-ahead log is truncated after a checkpoint. */
const WAL_BYTES = 16 * 1024 * 1024;
const CACHE_KIB = 32 * 1024;

export interface SqliteDriver extends Driver {
  /** Changes whenever another connection has committed something. @throws StoreUnavailable */
  mark(): Promise<number>;
}

/** @param sync syncs an open file to the disk */
export function openSqlite(
  path: string,
  sync: (file: number) => Promise<void> = promisify(fdatasync),
): SqliteDriver {
  makeDatabase(path);
  const writer = openWriter(path);
  const reader = openReader(path);
  const fileId = fileIdOf(path);

  const tx = sqliteStatements(writer);
  // This number changes with commits of other connections, but not with this connection's own.
  const dataVersion = writer.prepare('PRAGMA data_version').pluck();
  let markOfTurn: number | null = null;
  const queue = createWriteQueue(commit);
  // A process may have ended between a deletion and the truncation of the log.
  let scrubOwed = !emptyLog(writer);
  /** The log stays the same file while a connection is open. */
  const log = openSync(`${path}-wal`, 'r');
  const logId = fileIdOf(`${path}-wal`);
  // The log must still be in its folder after a crash of the machine, whichever process created it.
  syncNow(dirname(path));
  const filesAreInPlace = () => fileIdOf(path) === fileId && fileIdOf(`${path}-wal`) === logId;
  /** A sync has failed. Until the log is copied into the database, later commits could be lost too. */
  let logIsUnsafe = false;

  async function commit(jobs: readonly Job[]): Promise<boolean> {
    try {
      await begin();
      for (const job of jobs) await job.run(tx);
      await tx.run('COMMIT');
      await syncLog();
      probing.noteWrite(true);
    } catch (error) {
      if (writer.inTransaction) await tx.run('ROLLBACK').catch(() => undefined);
      const fault = isEngineFault(error);
      if (fault) probing.noteWrite(false);
      if (!fault && jobs.length > 1) return false;
      for (const job of jobs) job.reject(asUnavailable(error));
      return true;
    }
    for (const job of jobs) job.resolve();
    return true;
  }

  /**
   * If it fails, the write counts as failed, although it may be stored: that is the safe answer.
   * @throws StoreUnavailable
   */
  async function syncLog(): Promise<void> {
    try {
      await sync(log);
    } catch (error) {
      logIsUnsafe = true;
      throw new StoreUnavailable(error);
    }
  }

  async function begin(): Promise<void> {
    if (logIsUnsafe && !emptyLog(writer)) throw new StoreUnavailable(new Error('the disk failed a write'));
    logIsUnsafe = false;
    if (!filesAreInPlace())
      throw new StoreUnavailable(new Error('a file of the database was moved or replaced'));
    const patienceEnds = performance.now() + LOCK_PATIENCE_MS;
    for (;;) {
      try {
        await tx.run('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isLocked(error) || performance.now() > patienceEnds) throw error;
        await delay(LOCK_RETRY_MS);
      }
    }
  }

  async function truncateLog(): Promise<void> {
    const patienceEnds = performance.now() + LOCK_PATIENCE_MS;
    for (;;) {
      if (await queue.between(() => emptyLog(writer))) return;
      if (performance.now() > patienceEnds) {
        throw new Error('the write-ahead log is in use and still contains the deleted rows: delete again');
      }
      await delay(LOCK_RETRY_MS);
    }
  }

  const compaction = compactor(path);

  const snapshots = createSnapshots(() => {
    if (!filesAreInPlace())
      throw new StoreUnavailable(new Error('a file of the database was moved or replaced'));
    return openReader(path);
  }, asUnavailable);

  const read = sqliteStatements(reader, asUnavailable);
  /** One writer at a time, whatever the scope. */
  const write: Driver['write'] = (_scope, work) => queue.add(work);
  const probing = createProbing({ read, write }, filesAreInPlace);

  return {
    tables: "SELECT name FROM sqlite_schema WHERE type = 'table'",
    statementsOf,
    read,
    // Also what other processes have committed. Of a log that is on the disk nothing is left to do.
    settled: syncLog,
    snapshot: snapshots.take,
    write,
    writeOne: writeOneBy(write),

    /** Read once per turn of the event loop. Later changes by others do not matter for answers of this turn. */
    async mark() {
      if (markOfTurn !== null) return markOfTurn;
      setImmediate(() => {
        markOfTurn = null;
      });
      try {
        markOfTurn = dataVersion.get() as number;
        return markOfTurn;
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async scrub(owedOnly = false) {
      const isDue = compaction.due();
      if (owedOnly && !scrubOwed && !isDue) return;
      scrubOwed = true;
      // The rows are overwritten in any case. A rebuild that fails now is made later.
      if (isDue) await compaction.run().catch(() => undefined);
      else if (!owedOnly) await compaction.afterErasure().catch(() => undefined);
      await truncateLog().catch(error => {
        throw asUnavailable(error, true);
      });
      scrubOwed = false;
    },

    file: {
      oweCompaction: compaction.owe,

      async compact() {
        try {
          await compaction.run();
          await truncateLog();
        } catch (error) {
          throw asUnavailable(error, true);
        }
      },

      figures: () => ({
        bytes: sizeOf(path),
        logBytes: sizeOf(`${path}-wal`),
        rebuildFails: compaction.fails(),
      }),
    },

    ping: probing.ping,
    probe: probing.probe,
    writesWaiting: queue.size,

    async close() {
      await queue.idle();
      if (!writer.open) return;
      if (compaction.owed()) await compaction.run().catch(() => undefined);
      closeSync(log);
      await snapshots.close();
      reader.close();
      writer.close();
    },
  };
}

function openWriter(path: string): Database.Database {
  const writer = distrustSchema(new Database(path, { timeout: 5_000 }));
  writer.pragma('journal_mode = WAL');
  writer.pragma('synchronous = NORMAL');
  writer.pragma('secure_delete = ON');
  writer.pragma(`journal_size_limit = ${WAL_BYTES}`);
  writer.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  writer.pragma(`cache_size = -${CACHE_KIB}`);
  writer.pragma('busy_timeout = 0');
  return writer;
}

function openReader(path: string): Database.Database {
  const reader = distrustSchema(new Database(path, { timeout: 5_000, fileMustExist: true }));
  reader.pragma('query_only = ON');
  reader.pragma(`busy_timeout = ${READ_PATIENCE_MS}`);
  return reader;
}

/** False if another connection still reads the log. */
function emptyLog(writer: Database.Database): boolean {
  const [state] = writer.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  return state?.busy === 0;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function asUnavailable(error: unknown, always = false): unknown {
  if (error instanceof StoreUnavailable) return error;
  return always || isEngineFault(error) ? new StoreUnavailable(error) : error;
}

const ENGINE_FAULTS = [
  'BUSY',
  'LOCKED',
  'FULL',
  'IOERR',
  'READONLY',
  'CANTOPEN',
  'CORRUPT',
  'NOTADB',
  'PROTOCOL',
  'NOMEM',
];
const CLOSED = 'The database connection is not open';

/** Distinguishes errors of the engine, which cannot work now, from wrong statements. */
function isEngineFault(error: unknown): boolean {
  if (error instanceof StoreUnavailable) return true;
  if (error instanceof TypeError) return error.message === CLOSED;
  if (!(error instanceof Database.SqliteError)) return false;
  const kind = error.code.replace(/^SQLITE_/, '');
  return ENGINE_FAULTS.some(fault => kind === fault || kind.startsWith(`${fault}_`));
}
