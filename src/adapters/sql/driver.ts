/**
 * What the SQL store needs of an engine. Statements are written with `$1, $2, …`; times and counts are integers.
 * The two halves of the promise: reads never wait for writers, and all that one `write` does is one transaction.
 */
import type { FileFigures } from '../../ports/upkeep.ts';

export type Value = string | number | null | Uint8Array;

export interface Sql {
  /** First row, or undefined. */
  get<Row>(text: string, ...values: Value[]): Promise<Row | undefined>;
  all<Row>(text: string, ...values: Value[]): Promise<Row[]>;
  /** Number of rows changed. */
  run(text: string, ...values: Value[]): Promise<number>;
}

export interface Driver {
  /** Committed state, each statement by itself. */
  readonly read: Sql;
  /**
   * Runs `work` in a transaction that holds the write lock from its beginning, and resolves with its answer once the
   * transaction is durable. Transactions that wait together are committed together; when one throws, only that one
   * is lost. `work` may run more than once, so it awaits its own statements alone and touches nothing else.
   */
  write<Answer>(work: (sql: Sql) => Promise<Answer>): Promise<Answer>;
  /** Changes whenever another process may have committed something since the last call. Costs next to nothing. */
  foreignVersion(): number;
  /** Null: the database is not a file of this machine. */
  readonly file: DriverFile | null;
  /**
   * Removes what deleted rows left, as far as the engine can: a file's log at once, and a small file everywhere.
   * @param owedOnly only when an earlier call could not
   */
  scrub(owedOnly?: boolean): Promise<void>;
  /** Resolves when the engine answers; after a failed write, only once a write succeeds again. */
  ping(): Promise<void>;
  /** Resolves once a write of no meaning is durable. */
  probe(): Promise<void>;
  /** Transactions that wait or are being committed. */
  writesWaiting(): number;
  close(): Promise<void>;
}

/** What only a database in a file offers. */
export interface DriverFile {
  /** Rebuilds the database, so that copies of rows that it made by itself are gone. Other writes wait meanwhile. */
  compact(): Promise<void>;
  /** The same, soon, where the database is small: with a `scrub` of what is owed. */
  oweCompaction(): void;
  figures(): FileFigures;
}
