/**
 * Read transactions, one after another on a connection of their own: it is opened with the first one. On the connection of
 * the other reads, those would see the state of a snapshot that happens to be open, which may be older than their question.
 * Held by test/sqlite/snapshots.ts.
 */
import type Database from 'better-sqlite3';
import type { Sql } from '../sql/driver.ts';
import { sqliteStatements } from './statements.ts';

export interface Snapshots {
  take<Answer>(work: (sql: Sql) => Promise<Answer>): Promise<Answer>;
  /** Resolves when the last one that was asked for has ended. */
  close(): Promise<void>;
}

/**
 * @param open a connection that only reads
 * @param translate what callers are told of an error
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
