/**
 * What the SQL store needs from an engine. Statements use `$1, $2, …`; times and counts are integers; `FOR UPDATE`,
 * `FOR SHARE` and `FOR KEY SHARE` lock rows where there are several writers. An engine makes two promises: reads never
 * wait for writers, and each `write` is one transaction.
 */
import type { FileFigures } from '../../ports/upkeep.ts';
import type { Migration } from './migrations.ts';
import type { Scope } from './scope.ts';

export type Value = string | number | null | Uint8Array;

export interface Sql {
  /** First row, or undefined. */
  get<Row>(text: string, ...values: Value[]): Promise<Row | undefined>;
  all<Row>(text: string, ...values: Value[]): Promise<Row[]>;
  /** Number of rows changed. */
  run(text: string, ...values: Value[]): Promise<number>;
}

export interface Transaction extends Sql {
  /**
   * For statements whose count nobody needs: `run` may answer before the engine does, and then with 0. If one fails,
   * the transaction fails.
   */
  readonly unwatched: Sql;
  /** Runs `work`, and undoes what it has written unless `isKept` says yes to its answer. */
  attempt<Answer>(work: () => Promise<Answer>, isKept: (answer: Answer) => boolean): Promise<Answer>;
}

/** `attempt` by a savepoint. */
export const savepointsOn =
  (sql: Sql): Transaction['attempt'] =>
  async (work, isKept) => {
    const [, answer] = await Promise.all([sql.run('SAVEPOINT attempt'), work()]);
    if (!isKept(answer)) await sql.run('ROLLBACK TO SAVEPOINT attempt');
    await sql.run('RELEASE SAVEPOINT attempt');
    return answer;
  };

export interface Driver {
  /** Query that lists the tables of the database. */
  readonly tables: string;
  /** The statements of a migration, as this engine takes them. */
  statementsOf(migration: Migration): readonly string[];
  /** Reads committed state, each statement for itself. */
  readonly read: Sql;
  /** Resolves once all that `read` has shown is durable: an engine may show a commit moments before. */
  settled(): Promise<void>;
  /**
   * Runs `work`, which only reads, on one committed state. It does not wait for writers, nor they for it. `work` must
   * await only its own statements.
   * @param mayPause the time between two statements is not limited: `work` writes files
   */
  snapshot<Answer>(work: (sql: Sql) => Promise<Answer>, mayPause?: boolean): Promise<Answer>;
  /**
   * Runs `work` in a transaction, and resolves with its answer once that is durable. Writes with an overlapping scope
   * (scope.ts) do not run at the same time, so what `work` reads in its scope stays true until it is committed.
   * Transactions that wait together may be committed together; if one throws, only that one is lost. `work` may run
   * more than once, so it must await only its own statements and change nothing else.
   * @param commutes `work` may take turns with other such work in one transaction, if nothing is undone: whatever the
   *   others have done between its statements, it does and answers what it would in a turn of its own
   */
  write<Answer>(
    scope: Scope,
    work: (sql: Transaction) => Promise<Answer>,
    commutes?: boolean,
  ): Promise<Answer>;
  /**
   * A write of a single statement, which an engine on a network sends together with its locks and its commit.
   * @returns the rows that it returns
   */
  writeOne<Row>(scope: Scope, text: string, ...values: Value[]): Promise<Row[]>;
  /** Null: the database is not a file on this machine. */
  readonly file: DriverFile | null;
  /**
   * Removes traces of deleted rows as far as the engine can: always from the log, and from the whole file if it is
   * small.
   * @param owedOnly only finish what earlier calls could not do
   */
  scrub(owedOnly?: boolean): Promise<void>;
  /** Resolves if the engine responds; after a failed write, only once a write succeeds again. */
  ping(): Promise<void>;
  /** Resolves once a test write is durable. */
  probe(): Promise<void>;
  /** Number of transactions that wait or are being committed. */
  writesWaiting(): number;
  close(): Promise<void>;
}

/** `writeOne` of an engine to which a single statement is as any other write. */
export const writeOneBy =
  (write: Driver['write']): Driver['writeOne'] =>
  (scope, text, ...values) =>
    write(scope, sql => sql.all(text, ...values));

/** Only for a database in a file. */
export interface DriverFile {
  /** Rebuilds the database, which removes copies of rows that the engine made. Other writes wait. */
  compact(): Promise<void>;
  /** Rebuilds the database soon, if it is small: with the next `scrub(true)`. */
  oweCompaction(): void;
  figures(): FileFigures;
}
