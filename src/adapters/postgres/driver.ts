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
import type { Driver, Sql, Transaction, Value } from '../sql/driver.ts';
import { createProbing } from '../sql/probing.ts';
import type { Scope } from '../sql/scope.ts';
import { createWriteQueue, type Job, type WriteQueue } from '../sql/write-queue.ts';
import type { PostgresAddress } from './address.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { createConnections } from './connections.ts';
import { asUnavailable, isAnswer, isConflict, isServerFault, isTimeout } from './faults.ts';
import { takeLease } from './leases.ts';
import { locksOf } from './locks.ts';
import { postgresStatements } from './migrations.ts';
import { rewriteDaily } from './rewrite.ts';
import { postgresSql, type Statement, type Statements, statementsOn } from './statements.ts';
import { createVacuum } from './vacuum.ts';

const MOST_TRIES = 50;
const LONGEST_PAUSE_MS = 50;
/** Writes of one transaction. The rows of the scope stay locked for other nodes meanwhile. */
const MOST_TOGETHER = 64;
/** What the server says if its wait for the standby was cancelled: the standby may not have the commit. */
const COMMITTED_LOCALLY = '01000';
const END_BACKEND = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid = $1 AND usename = current_user AND application_name = 'face-sign-in'`;
const BEGIN: Statement = { text: 'BEGIN', values: [] };
const COMMIT: Statement = { text: 'COMMIT', values: [] };
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
      const sent: Promise<pg.QueryResult>[] = [];
      const send = ({ text, values }: Statement) => {
        const ended = statements.perform(text, values);
        // It may fail before anybody waits for it.
        ended.catch(() => undefined);
        sent.push(ended);
      };
      begin.forEach(send);
      const sql = postgresSql(statements);
      const run = async (text: string, ...values: Value[]) => {
        send({ text, values });
        return 0;
      };
      let answer: Answer;
      try {
        answer = await work({ ...sql, unwatched: { ...sql, run } });
      } catch (later) {
        // After a lock that was not granted, or a statement that failed unwatched, what follows fails too.
        const first = (await Promise.allSettled(sent)).find(end => end.status === 'rejected');
        const error = first ? first.reason : later;
        if (!isServerFault(error)) await statements.perform('ROLLBACK', []);
        throw error;
      }
      await acknowledged(client, async () => {
        const [end] = await statements.together([COMMIT]);
        requireEnd(await Promise.allSettled(sent), end);
      });
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

  function commitTogether(scope: Scope, jobs: readonly Job[]): Promise<boolean> {
    // Thrown by the work itself. The server's own faults are no StoreUnavailable yet while the work runs.
    let isOwn = false;
    const work = async (sql: Transaction) => {
      for (const job of jobs)
        await job.run(sql).catch(error => {
          isOwn = error instanceof StoreUnavailable;
          throw error;
        });
    };
    return settleJobs(
      jobs,
      () => inTransaction(scope, work),
      () => isOwn,
    );
  }

  /** For jobs of one statement each: with locks and commit in one round trip. If one fails, the server rolls back. */
  const commitPipelined = (scope: Scope, jobs: readonly Job[]) =>
    settleJobs(jobs, () =>
      tried(() =>
        onConnection((statements, client) =>
          acknowledged(client, async () => {
            const begun = statements.together(begin(scope));
            const sql = postgresSql(statements);
            const sent = Promise.allSettled(jobs.map(job => job.run({ ...sql, unwatched: sql })));
            const [end] = await statements.together([COMMIT]);
            requireEnd([...(await begun), ...(await sent)], end);
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

  const write = <Answer>(scope: Scope, work: (sql: Transaction) => Promise<Answer>): Promise<Answer> =>
    counted(() => {
      // Others are rare, or lock nothing beforehand; and what they lock later could then be in another order.
      const isShared = scope.kind === 'galleries' || scope.kind === 'user';
      return isShared ? queueOf(scope, commitTogether).add(work) : inTransaction(scope, work);
    });

  const writeOne = <Row>(scope: Scope, text: string, ...values: Value[]): Promise<Row[]> =>
    counted(() => {
      const work = (sql: Sql) => sql.all<Row>(text, ...values);
      return scope.kind === 'rows' ? alone(work) : queueOf(scope, commitPipelined).add(work);
    });

  const read = postgresSql({ perform: (text, values) => onConnection(on => on.perform(text, values)) });
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

/** @throws StoreUnavailable */
function requireCommitted(end: PromiseSettledResult<pg.QueryResult> | undefined): void {
  if (end?.status !== 'fulfilled') throw new StoreUnavailable(end?.reason);
  if (end.value.command !== 'COMMIT') throw new StoreUnavailable(new Error('nothing was committed'));
}

/**
 * What one round trip has done is certain only by how its commit ended. If that was a rollback, the fault of a
 * statement is reported, and the round trip may be repeated. @throws StoreUnavailable, or that fault
 */
function requireEnd(
  others: readonly PromiseSettledResult<unknown>[],
  end: PromiseSettledResult<pg.QueryResult> | undefined,
): void {
  const fault = others.find(other => other.status === 'rejected');
  if (fault && end?.status === 'fulfilled' && end.value.command === 'ROLLBACK') throw fault.reason;
  requireCommitted(end);
  // Committed, and yet an answer is missing.
  if (fault) throw new StoreUnavailable(fault.reason);
}

/** Only the server can say that a statement failed: any other fault may have come after it was committed. */
function rethrowAnswer(error: unknown): never {
  throw isAnswer(error) ? error : new StoreUnavailable(error);
}

/** What commits is certain only if the server had not to stop waiting for its standby. @throws StoreUnavailable */
async function acknowledged<Answer>(client: pg.PoolClient, send: () => Promise<Answer>): Promise<Answer> {
  let isLocal = false;
  const listen = ({ code }: { code?: string | undefined }) => {
    isLocal ||= code === COMMITTED_LOCALLY;
  };
  client.on('notice', listen);
  try {
    const answer = await send();
    if (isLocal) throw new StoreUnavailable(new Error('the standby may lack the commit'));
    return answer;
  } finally {
    client.off('notice', listen);
  }
}
