/**
 * Read transactions, one after another on their own connection, which is opened for the first one. On the connection of
 * the other reads, an open snapshot would make those reads see its older state. Held by test/sqlite/snapshots.ts.
 */
import type Database from 'better-sqlite3';
import type { Sql } from '../sql/driver.ts';
import { sqliteStatements } from './statements.ts';

export interface Snapshots {
  take<Answer>(work: (sql: Sql) => Promise<Answer>): Promise<Answer>;
  /** Resolves when all requested snapshots have ended. */
  close(): Promise<void>;
}

/**
 * @param open opens a connection that only reads
 * @param translate turns an engine error into the error for the caller
 */
export function createSnapshots(
  open: () => Database.Database,
  translate: (error: unknown) => unknown,
): Snapshots {
  let database: Database.Database | null = null;
  let sql: Sql | null = null;
  let last: Promise<unknown> = Promise.resolve();

  function statements(): Sql {
    if (sql) return sql;
    database = open();
    sql = sqliteStatements(database, translate);
    return sql;
  }

  async function one<Answer>(work: (sql: Sql) => Promise<Answer>): Promise<Answer> {
    const within = statements();
    await within.run('BEGIN');
    try {
      return await work(within);
    } finally {
      if (database?.inTransaction) await within.run('ROLLBACK');
    }
  }

  return {
    take(work) {
      const answer = last.then(() => one(work));
      last = answer.catch(() => undefined);
      return answer;
    },

    async close() {
      await last;
      database?.close();
    },
  };
}
