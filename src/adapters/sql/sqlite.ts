/**
 * The SQLite driver: one connection that writes, one that reads. Writing goes through a queue that commits together
 * what waits together, because one durable commit costs more than the statements in it.
 *
 * Refuses to wait for a lock on the event loop: a busy database is tried again from a timer.
 * test/contract holds it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { StoreUnavailable } from '../../ports/store.ts';
import type { Driver, Sql } from './driver.ts';
import { isEngineFault, isLocked } from './sqlite-faults.ts';
import { sqliteStatements } from './sqlite-statements.ts';

/** How long a write waits for another process's transaction before the store counts as unavailable. */
const LOCK_PATIENCE_MS = 10_000;
const LOCK_RETRY_MS = 3;
/** After a failed write, how often at most another one is tried to see whether writing works again. */
const PROBE_EVERY_MS = 1_000;
/** How long the write-ahead log may grow before it is copied back: each time costs two more waits for the disk. */
const CHECKPOINT_PAGES = 4_000;
/** A write-ahead log longer than this is cut back after a checkpoint. */
const WAL_BYTES = 16 * 1024 * 1024;
const CACHE_KIB = 32 * 1024;

interface Job {
  run(sql: Sql): Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

export function openSqlite(path: string): Driver {
  const writer = connect(path);
  writer.pragma('journal_mode = WAL');
  writer.pragma('synchronous = FULL');
  writer.pragma('secure_delete = ON');
  writer.pragma(`journal_size_limit = ${WAL_BYTES}`);
  writer.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  writer.pragma(`cache_size = -${CACHE_KIB}`);
  writer.pragma('busy_timeout = 0');
  const reader = connect(path);
  reader.pragma('query_only = ON');

  const tx = sqliteStatements(writer);
  // On this connection the number stays as it is under the connection's own commits.
  const dataVersion = writer.prepare('PRAGMA data_version').pluck();
  let versionOfTurn: number | null = null;
  let queue: Job[] = [];
  let flushing: Promise<void> | null = null;
  let lastWriteFailed = false;
  let probedAt = Number.NEGATIVE_INFINITY;

  function enqueue(job: Job): void {
    queue.push(job);
    flushing ??= new Promise(done => setImmediate(() => flush().finally(done)));
  }

  async function flush(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      if (!(await commit(batch)) && batch.length > 1) {
        for (const job of batch) await commit([job]);
      }
    }
    flushing = null;
  }

  /** Commits the jobs as one transaction. False: one of several threw, nothing happened, each is to run alone. */
  async function commit(jobs: readonly Job[]): Promise<boolean> {
    try {
      await begin();
      for (const job of jobs) await job.run(tx);
      await tx.run('COMMIT');
      lastWriteFailed = false;
    } catch (error) {
      if (writer.inTransaction) await tx.run('ROLLBACK').catch(() => undefined);
      const fault = isEngineFault(error);
      lastWriteFailed ||= fault;
      if (!fault && jobs.length > 1) return false;
      for (const job of jobs) job.reject(fault ? new StoreUnavailable(error) : error);
      return true;
    }
    for (const job of jobs) job.resolve();
    return true;
  }

  /** Asked once per turn of the event loop: what other processes do in between is not earlier than the answer. */
  function foreignVersion(): number {
    if (versionOfTurn === null) {
      versionOfTurn = dataVersion.get() as number;
      setImmediate(() => {
        versionOfTurn = null;
      });
    }
    return versionOfTurn;
  }

  async function begin(): Promise<void> {
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

  const driver: Driver = {
    read: sqliteStatements(reader, error => (isEngineFault(error) ? new StoreUnavailable(error) : error)),

    write: work =>
      new Promise((resolve, reject) => {
        let answer: Awaited<ReturnType<typeof work>>;
        enqueue({
          run: async sql => {
            answer = await work(sql);
          },
          resolve: () => resolve(answer),
          reject,
        });
      }),

    foreignVersion,

    async scrub() {
      const patienceEnds = performance.now() + LOCK_PATIENCE_MS;
      for (;;) {
        while (flushing) await flushing;
        const [state] = writer.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
        if (state?.busy === 0) return;
        if (performance.now() > patienceEnds) {
          throw new StoreUnavailable(
            new Error('the write-ahead log is in use and still holds the deleted rows'),
          );
        }
        await delay(LOCK_RETRY_MS);
      }
    },

    async ping() {
      await driver.read.get('SELECT 1');
      if (!lastWriteFailed) return;
      if (performance.now() - probedAt < PROBE_EVERY_MS)
        throw new StoreUnavailable(new Error('the last write failed'));
      probedAt = performance.now();
      await driver.write(sql =>
        sql.run(
          `INSERT INTO meta (name, value) VALUES ('probe', '') ON CONFLICT (name) DO UPDATE SET value = ''`,
        ),
      );
    },

    async close() {
      while (flushing) await flushing;
      reader.close();
      writer.close();
    },
  };
  return driver;
}

function connect(path: string): Database.Database {
  return new Database(path, { timeout: 5_000 });
}
