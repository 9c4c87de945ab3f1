/**
 * The PostgreSQL driver. A write is a transaction at READ COMMITTED, which locks the rows of its scope first
 * (locks.ts). Writes of one scope that wait together share a transaction, because each would wait for the commit of the
 * one before. Conflicts are tried again, but never what may have been committed: a commit whose answer is lost is told
 * as unavailable. Held by test/contract/postgres.long.test.ts and test/postgres.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StoreUnavailable } from '../../ports/store.ts';
import type { Driver, Sql } from '../sql/driver.ts';
import { createProbing } from '../sql/probing.ts';
import type { Scope } from '../sql/scope.ts';
import { createWriteQueue, type Job, type WriteQueue } from '../sql/write-queue.ts';
import type { PostgresAddress } from './address.ts';
import { createConnections } from './connections.ts';
import { asUnavailable, isConflict, isServerFault } from './faults.ts';
import { type Lock, locksOf } from './locks.ts';
import { postgresStatements } from './migrations.ts';
import { postgresSql, type Statements, statementsOn } from './statements.ts';
import { createVacuum } from './vacuum.ts';

const MOST_TRIES = 50;
const LONGEST_PAUSE_MS = 50;
/** Writes of one transaction. The rows of the scope stay locked for other nodes meanwhile. */
const MOST_TOGETHER = 32;
/** What the server says if it was told to stop waiting for its standby: the standby may not have the commit. */
const COMMITTED_LOCALLY = '01000';

export interface PostgresOptions {
  /** Connections at most. */
  readonly pool: number;
  /** What each scope locks. Only trials that need races replace it. */
  readonly locks?: (scope: Scope) => readonly Lock[];
}

/** No connection is made before the first statement. */
export function openPostgres(address: PostgresAddress, options: PostgresOptions): Driver {
  const { locks = locksOf } = options;
  const connections = createConnections(address, options.pool);
  let writes = 0;

  /** Drops the connection if it may be of no more use. */
  async function onConnection<Answer>(
    work: (statements: Statements, client: pg.PoolClient) => Promise<Answer>,
  ): Promise<Answer> {
    const client = await connections.take();
    let fault: Error | undefined;
    try {
      return await work(statementsOn(client), client);
    } catch (error) {
      if (isServerFault(error)) fault = error as Error;
      throw asUnavailable(error);
    } finally {
      client.release(fault);
    }
  }

  const transaction = <Answer>(begin: readonly Lock[], work: (sql: Sql) => Promise<Answer>) =>
    onConnection(async (statements, client) => {
      let answer: Answer;
      // The server begins and locks before it runs what follows, so nothing here needs to wait for it.
      const begun = statements.together(begin);
      // It may fail before `work` does, and then nobody waits for it yet.
      begun.catch(() => undefined);
      try {
        answer = await work(postgresSql(statements));
        await begun;
      } catch (later) {
        // After a lock that was not granted, the statements of `work` fail too.
        const error = await begun.then(
          () => later,
          first => first,
        );
        if (!isServerFault(error)) await statements.perform('ROLLBACK', []);
        throw error;
      }
      await commit(statements, client);
      return answer;
    });

  /** With `MOST_TRIES` in case of conflicts. */
  async function committed<Answer>(scope: Scope, work: (sql: Sql) => Promise<Answer>): Promise<Answer> {
    const begin = [{ text: 'BEGIN', values: [] }, ...locks(scope)];
    try {
      for (let tries = 1; ; tries++) {
        try {
          const answer = await transaction(begin, work);
          probing.noteWrite(true);
          return answer;
        } catch (error) {
          if (!isConflict(error)) throw error;
          if (tries === MOST_TRIES) throw new StoreUnavailable(error);
          await delay(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** tries));
        }
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) probing.noteWrite(false);
      throw error;
    }
  }

  async function commitTogether(scope: Scope, jobs: readonly Job[]): Promise<boolean> {
    // Thrown by the work itself. The server's own faults are no StoreUnavailable yet while the work runs.
    let isOwn = false;
    try {
      await committed(scope, async sql => {
        for (const job of jobs)
          await job.run(sql).catch(error => {
            isOwn = error instanceof StoreUnavailable;
            throw error;
          });
      });
    } catch (error) {
      if (jobs.length > 1 && (isOwn || !(error instanceof StoreUnavailable))) return false;
      for (const job of jobs) job.reject(error);
      return true;
    }
    for (const job of jobs) job.resolve();
    return true;
  }

  const queues = new Map<string, WriteQueue>();

  /** Of the writes of a scope that wait now. */
  function queueOf(scope: Scope): WriteQueue {
    const name = JSON.stringify(scope);
    const known = queues.get(name);
    if (known) return known;
    const queue = createWriteQueue(jobs => commitTogether(scope, jobs), MOST_TOGETHER);
    queues.set(name, queue);
    // When the first write is in it.
    queueMicrotask(() => void queue.idle().then(() => queues.delete(name)));
    return queue;
  }

  async function write<Answer>(scope: Scope, work: (sql: Sql) => Promise<Answer>): Promise<Answer> {
    writes += 1;
    try {
      // Others are rare, or lock nothing beforehand; and what they lock later could then be in another order.
      const isShared = scope.kind === 'galleries' || scope.kind === 'user';
      return await (isShared ? queueOf(scope).add(work) : committed(scope, work));
    } finally {
      writes -= 1;
    }
  }

  const read = postgresSql({ perform: (text, values) => onConnection(on => on.perform(text, values)) });
  const probing = createProbing({ read, write });
  const vacuum = createVacuum(work => onConnection(statements => work(postgresSql(statements))));

  return {
    tables: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
    statementsOf: postgresStatements,
    read,
    snapshot: work =>
      transaction([{ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', values: [] }], work),
    write,
    file: null,
    scrub: vacuum.scrub,

    ping: probing.ping,
    probe: probing.probe,
    writesWaiting: () => writes,
    async close() {
      await vacuum.settle().catch(() => undefined);
      await connections.close();
    },
  };
}

/** @throws StoreUnavailable unless the commit is certain */
async function commit(statements: Statements, client: pg.PoolClient): Promise<void> {
  let isLocal = false;
  const listen = ({ code }: { code?: string | undefined }) => {
    isLocal ||= code === COMMITTED_LOCALLY;
  };
  client.on('notice', listen);
  try {
    const { command } = await statements.perform('COMMIT', []);
    if (command === 'COMMIT' && !isLocal) return;
  } catch (error) {
    throw new StoreUnavailable(error);
  } finally {
    client.off('notice', listen);
  }
  throw new StoreUnavailable(
    new Error(isLocal ? 'the standby may lack the commit' : 'nothing was committed'),
  );
}
