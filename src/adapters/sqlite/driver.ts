/**
 * The SQLite driver: one connection that writes, through a queue, one that reads, and one for snapshots. A write never waits for a lock on
 * the event loop (it is tried again from a timer), a read for a fifth of a second at most; only opening may wait longer.
 * Refuses to write into a file that is no longer in its place.
 *
 * A commit is durable once the write-ahead log is on the disk, and only then is it acknowledged. The engine would wait
 * for the disk itself, and with it the event loop; so it is told not to (`synchronous = NORMAL`, under which it waits
 * only around checkpoints), and the log is brought to the disk here, beside other work. test/contract holds it.
 */
import { closeSync, fdatasync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { StoreUnavailable } from '../../ports/store.ts';
import type { Driver } from '../sql/driver.ts';
import { ROWS } from '../sql/scope.ts';
import { compactor } from './compaction.ts';
import { isEngineFault, isLocked } from './faults.ts';
import { fileIdOf } from './file-id.ts';
import { createSnapshots } from './snapshots.ts';
import { sqliteStatements } from './statements.ts';
import { sync as syncNow } from './sync.ts';
import { createWriteQueue, type Job } from './write-queue.ts';

/** How long a write waits for another process's transaction before the store counts as unavailable. */
const LOCK_PATIENCE_MS = 10_000;
const LOCK_RETRY_MS = 3;
/** Readers are locked out for moments only, while the log is recovered. */
const READ_PATIENCE_MS = 200;
/** After a failed write, how often at most another one is tried to see whether writing works again. */
const PROBE_EVERY_MS = 1_000;
/** How long the write-ahead log may grow before it is copied back: each time costs two more waits for the disk. */
const CHECKPOINT_PAGES = 4_000;
/** A write-ahead log longer than this is cut back after a checkpoint. */
const WAL_BYTES = 16 * 1024 * 1024;
const CACHE_KIB = 32 * 1024;

/** @param sync brings what was written to an open file to the disk */
export function openSqlite(
  path: string,
  sync: (file: number) => Promise<void> = promisify(fdatasync),
): Driver {
  // Made here, so that it is for this user alone; the engine gives its other files the same mode.
  closeSync(openSync(path, 'a', 0o600));
  const writer = openWriter(path);
  const reader = openReader(path);
  const fileId = fileIdOf(path);

  const tx = sqliteStatements(writer);
  // On this connection the number stays as it is under the connection's own commits.
  const dataVersion = writer.prepare('PRAGMA data_version').pluck();
  let markOfTurn: number | null = null;
  const queue = createWriteQueue(commit);
  let lastWriteFailed = false;
  let probedAt = Number.NEGATIVE_INFINITY;
  // A process that ended between a deletion and the emptying of the log left that to the next one.
  let scrubOwed = !emptyLog(writer);
  /** The log stays one file as long as a connection is open. */
  const log = openSync(`${path}-wal`, 'r');
  const logId = fileIdOf(`${path}-wal`);
  // Whoever made the log, it is in its folder after a crash of the machine.
  syncNow(dirname(path));
  const filesAreInPlace = () => fileIdOf(path) === fileId && fileIdOf(`${path}-wal`) === logId;
  /** The disk did not take a commit. Until the log is copied into the database, later commits could be lost with it. */
  let logIsUnsafe = false;

  async function commit(jobs: readonly Job[]): Promise<boolean> {
    try {
      await begin();
      for (const job of jobs) await job.run(tx);
      await tx.run('COMMIT');
      await syncLog();
      lastWriteFailed = false;
    } catch (error) {
      if (writer.inTransaction) await tx.run('ROLLBACK').catch(() => undefined);
      const fault = isEngineFault(error);
      lastWriteFailed ||= fault;
      if (!fault && jobs.length > 1) return false;
      for (const job of jobs) job.reject(asUnavailable(error));
      return true;
    }
    for (const job of jobs) job.resolve();
    return true;
  }

  /** Whoever wrote is told that it failed, although it may stand: the answer that is safe. @throws StoreUnavailable */
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
        throw new Error('the write-ahead log is in use and still holds the deleted rows: delete again');
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

  const driver: Driver = {
    read: sqliteStatements(reader, asUnavailable),
    snapshot: snapshots.take,

    /** One writer at a time, whatever the scope. */
    write: (_scope, work) => queue.add(work),

    freshness: {
      /** Asked once per turn of the event loop: what others do meanwhile is not earlier than the answer. */
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
    },

    async scrub(owedOnly = false) {
      const isDue = compaction.due();
      if (owedOnly && !scrubOwed && !isDue) return;
      scrubOwed = true;
      // Rows are overwritten in any case: a rebuild that fails now is made later.
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

    async ping() {
      await driver.read.get(`SELECT value FROM meta WHERE name = 'master_secret_check'`);
      if (!lastWriteFailed && filesAreInPlace()) return;
      if (performance.now() - probedAt < PROBE_EVERY_MS) {
        throw new StoreUnavailable(new Error('the last write failed'));
      }
      probedAt = performance.now();
      await driver.probe();
    },

    async probe() {
      await driver.write(ROWS, sql =>
        sql.run(
          `INSERT INTO meta (name, value) VALUES ('probe', '') ON CONFLICT (name) DO UPDATE SET value = ''`,
        ),
      );
    },

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
  return driver;
}

function openWriter(path: string): Database.Database {
  const writer = new Database(path, { timeout: 5_000 });
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
  const reader = new Database(path, { timeout: 5_000, fileMustExist: true });
  reader.pragma('query_only = ON');
  reader.pragma(`busy_timeout = ${READ_PATIENCE_MS}`);
  return reader;
}

/** False when another connection still reads the log. */
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
