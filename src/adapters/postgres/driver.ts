/**
 * The PostgreSQL driver. A write is a transaction at READ COMMITTED that first locks the rows of its scope (locks.ts).
 * Writes of one scope that wait together share a transaction, because otherwise each would wait for the previous
 * commit. Conflicts are retried. What may have been committed is never retried: if the answer to a commit is lost, the
 * write is reported as unavailable. Held by test/contract/postgres.long.test.ts and test/postgres.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StoreUnavailable } from '../../ports/store.ts';
import { type Driver, type Sql, savepointsOn, type Transaction, type Value } from '../sql/driver.ts';
import { createProbing } from '../sql/probing.ts';
import type { Scope } from '../sql/scope.ts';
import { createWriteQueue, type Job, type WriteQueue } from '../sql/write-queue.ts';
import type { PostgresAddress } from './address.ts';
import { hope, runAtOnce, Undone } from './at-once.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { acknowledged, committed, rethrowAnswer } from './commits.ts';
import { createConnections } from './connections.ts';
import { asUnavailable, isConflict, isServerFault, isTimeout } from './faults.ts';
import { takeLease } from './leases.ts';
import { locksOf } from './locks.ts';
import { postgresStatements } from './migrations.ts';
import { rewriteDaily } from './rewrite.ts';
import { createShortReads } from './short-reads.ts';
import { postgresSql, type Statement, type Statements, statementsOn } from './statements.ts';
import { createVacuum } from './vacuum.ts';

const MOST_TRIES = 50;
const LONGEST_PAUSE_MS = 50;
/** Writes of one transaction. The rows of the scope stay locked for other nodes meanwhile. */
const MOST_TOGETHER = 64;
const END_BACKEND = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid = $1 AND usename = current_user AND application_name = 'face-sign-in'`;
const BEGIN: Statement = { text: 'BEGIN', values: [] };
const SNAPSHOT: Statement = { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', values: [] };
/** Such a transaction holds no rows that others write. */
const NO_IDLE_LIMIT: Statement = { text: 'SET LOCAL idle_in_transaction_session_timeout = 0', values: [] };

/** No connection is made before the first statement. @param pool connections at most */
export function openPostgres(address: PostgresAddress, pool: number): Driver {
  const connections = createConnections(address, pool);
  let writes = 0;
  const breaker = createCircuitBreaker(connections.failOver);

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
      const reported = asUnavailable(error);
      if (reported instanceof StoreUnavailable && isTimeout(reported)) endAbandoned(client);
      throw reported;
    } finally {
      client.release(fault);
    }
  }

  /** The server would go on with the statement, perhaps for ever, on a connection that counts in its limit. */
  function endAbandoned(client: pg.PoolClient): void {
    const { processID } = client as unknown as { processID: number };
    onConnection(statements => statements.perform(END_BACKEND, [processID])).catch(() => undefined);
  }

  /** The server performs one statement after the other, so what nobody needs to know goes with what follows it. */
  const transaction = <Answer>(begin: readonly Statement[], work: (sql: Transaction) => Promise<Answer>) =>
    onConnection(async (statements, client) => {
      const send = (text: string, values: readonly Value[]) => {
        // Its fault is that of the transaction.
        void statements.perform(text, values);
      };
      for (const { text, values } of begin) send(text, values);
      const sql = postgresSql(statements);
      const run = async (text: string, ...values: Value[]) => {
        send(text, values);
        return 0;
      };
      const unwatched = { ...sql, run };
      let answer: Answer;
      try {
        answer = await work({ ...sql, unwatched, attempt: savepointsOn(unwatched) });
      } catch (later) {
        // After a lock that was not granted, or a statement that failed unwatched, what follows fails too.
        const error = (await statements.fault()) ?? later;
        if (!isServerFault(error)) await statements.perform('ROLLBACK', []);
        throw error;
      }
      await acknowledged(client, () => committed(statements));
      return answer;
    });

  /** Up to `MOST_TRIES` times in case of conflicts. */
  async function tried<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
    breaker.admit();
    try {
      for (let tries = 1; ; tries++) {
        try {
          const answer = await attempt();
          breaker.succeeded();
          probing.noteWrite(true);
          return answer;
        } catch (error) {
          if (!isConflict(error)) throw error;
          if (tries === MOST_TRIES) throw new StoreUnavailable(error);
          await delay(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** tries));
        }
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        probing.noteWrite(false);
        breaker.failed(error);
      }
      throw error;
    }
  }

  const begin = (scope: Scope) => [BEGIN, ...locksOf(scope)];

  const inTransaction = <Answer>(scope: Scope, work: (sql: Transaction) => Promise<Answer>) =>
    tried(() => transaction(begin(scope), work));

  /** @param isOwn whether the fault is that of a job itself */
  async function settleJobs(
    jobs: readonly Job[],
    attempt: () => Promise<unknown>,
    isOwn = () => false,
  ): Promise<boolean> {
    try {
      await attempt();
    } catch (error) {
      if (jobs.length > 1 && (isOwn() || !(error instanceof StoreUnavailable))) return false;
      for (const job of jobs) job.reject(error);
      return true;
    }
    for (const job of jobs) job.resolve();
    return true;
  }

  /** First without savepoints, which cost two statements each, and what commutes at the same time. */
  function commitTogether(scope: Scope, jobs: readonly Job[]): Promise<boolean> {
    // Thrown by the work itself. The server's own faults are no StoreUnavailable yet while the work runs.
    let isOwn = false;
    const run = (job: Job, sql: Transaction) =>
      job.run(sql).catch(error => {
        isOwn ||= error instanceof StoreUnavailable;
        throw error;
      });
    const inTurns = async (sql: Transaction) => {
      for (const job of jobs) await run(job, sql);
    };
    const atOnce = (sql: Transaction) => runAtOnce(jobs, job => run(job, { ...sql, attempt: hope }));
    return settleJobs(
      jobs,
      () =>
        inTransaction(scope, atOnce).catch(error => {
          if (error instanceof Undone) return inTransaction(scope, inTurns);
          throw error;
        }),
      () => isOwn,
    );
  }

  /** For jobs of one statement each: with locks and commit in one round trip. If one fails, the server rolls back. */
  const commitPipelined = (scope: Scope, jobs: readonly Job[]) =>
    settleJobs(jobs, () =>
      tried(() =>
        onConnection((statements, client) =>
          acknowledged(client, async () => {
            for (const { text, values } of begin(scope)) void statements.perform(text, values);
            const sql = postgresSql(statements);
            const sent = Promise.allSettled(
              jobs.map(job => job.run({ ...sql, unwatched: sql, attempt: hope })),
            );
            await committed(statements);
            await sent;
          }),
        ),
      ),
    );

  const queues = new Map<string, WriteQueue>();

  /** Of the writes that wait now: those of a scope, or of its single statements. */
  function queueOf(scope: Scope, commitAll: typeof commitTogether): WriteQueue {
    const name = JSON.stringify([scope, commitAll === commitPipelined]);
    const known = queues.get(name);
    if (known) return known;
    const queue = createWriteQueue(jobs => commitAll(scope, jobs), MOST_TOGETHER);
    queues.set(name, queue);
    // When the first write is in it.
    queueMicrotask(() => void queue.idle().then(() => queues.delete(name)));
    return queue;
  }

  /** A statement without a transaction commits itself. */
  const alone = <Answer>(work: (sql: Sql) => Promise<Answer>) =>
    tried(() =>
      onConnection((statements, client) =>
        acknowledged(client, () => work(postgresSql(statements)).catch(rethrowAnswer)),
      ),
    );

  async function counted<Answer>(write: () => Promise<Answer>): Promise<Answer> {
    writes += 1;
    try {
      return await write();
    } finally {
      writes -= 1;
    }
  }

  const write: Driver['write'] = (scope, work, commutes) =>
    counted(() => {
      // Others are rare, or lock nothing beforehand; and what they lock later could then be in another order.
      const isShared = scope.kind === 'galleries' || scope.kind === 'user';
      return isShared ? queueOf(scope, commitTogether).add(work, commutes) : inTransaction(scope, work);
    });

  const writeOne = <Row>(scope: Scope, text: string, ...values: Value[]): Promise<Row[]> =>
    counted(() => {
      const work = (sql: Sql) => sql.all<Row>(text, ...values);
      return scope.kind === 'rows' ? alone(work) : queueOf(scope, commitPipelined).add(work);
    });

  const read: Sql = {
    ...postgresSql({ perform: (text, values) => onConnection(on => on.perform(text, values)) }),
    // Of one row, so short.
    get: postgresSql({ perform: createShortReads(onConnection) }).get,
  };
  const probing = createProbing({ read, write });
  const onOne = <Answer>(work: (sql: Sql) => Promise<Answer>) =>
    onConnection(statements => work(postgresSql(statements)));
  const owner = randomUUID();
  const vacuum = createVacuum(
    { read, write },
    onOne,
    () => takeLease({ write }, 'vacuum', owner),
    () => rewriteDaily({ read, write }, onOne, owner),
  );

  return {
    tables: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
    statementsOf: postgresStatements,
    read,
    // The server shows a commit once it is on the disk, and on the standby that it waits for.
    settled: async () => undefined,
    snapshot: (work, mayPause = false) =>
      transaction(mayPause ? [SNAPSHOT, NO_IDLE_LIMIT] : [SNAPSHOT], work),
    write,
    writeOne,
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
