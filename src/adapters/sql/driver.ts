/**
 * What the SQL store needs of an engine. Statements are written with `$1, $2, …`; times and counts are integers.
 * The two halves of the promise: reads never wait for writers, and all that one `write` does is one transaction.
 */
import type { FileFigures } from '../../ports/upkeep.ts';
import type { Scope } from './scope.ts';

export type Value = string | number | null | Uint8Array;

export interface Sql {
  /** First row, or undefined. */
  get<Row>(text: string, ...values: Value[]): Promise<Row | undefined>;
  all<Row>(text: string, ...values: Value[]): Promise<Row[]>;
  /** Number of rows changed. */
  run(text: string, ...values: Value[]): Promise<number>;
}

export interface Freshness {
  /**
   * A mark that is another one whenever somebody else may have committed something since it was last asked for; never again
   * one of before. The answer is as fresh as the question: it tells of all that was acknowledged before the call. It may
   * come over a network. @throws StoreUnavailable: then nothing that is remembered may be believed
   */
  mark(): Promise<number | string>;
}

export interface Driver {
  /** Committed state, each statement by itself. */
  readonly read: Sql;
  /**
   * One committed state for all statements of `work`, which only reads: it waits for no writer, and no writer for it. It
   * awaits its own statements alone.
   */
  snapshot<Answer>(work: (sql: Sql) => Promise<Answer>): Promise<Answer>;
  /**
   * Runs `work` in a transaction, and resolves with its answer once that is durable. From its beginning to its end no
   * other write runs whose scope overlaps (scope.ts): what `work` has read in its scope is so until it is committed.
   * Transactions that wait together may be committed together; when one throws, only that one is lost. `work` may run
   * more than once, so it awaits its own statements alone and touches nothing else.
   */
  write<Answer>(scope: Scope, work: (sql: Sql) => Promise<Answer>): Promise<Answer>;
  readonly freshness: Freshness;
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
