/**
 * The `Sql` interface on one better-sqlite3 connection. Each statement is prepared once. Clauses that lock rows are
 * left out: SQLite has one writer.
 */
import type Database from 'better-sqlite3';
import { savepointsOn, type Transaction, type Value } from '../sql/driver.ts';

const LOCK = / FOR (?:UPDATE|SHARE|KEY SHARE)\b(?: SKIP LOCKED)?/g;

interface Prepared {
  readonly statement: Database.Statement;
  /** The index of the value for each `?`. Null: the values are already in order. */
  readonly order: readonly number[] | null;
}

export function sqliteStatements(
  db: Database.Database,
  translate: (error: unknown) => unknown = error => error,
): Transaction {
  const cache = new Map<string, Prepared>();

  function prepared(text: string): Prepared {
    let found = cache.get(text);
    if (!found) {
      found = prepare(db, text);
      cache.set(text, found);
    }
    return found;
  }

  /** Async, so that errors reject, as they do with other engines. */
  async function perform<Answer>(
    text: string,
    values: Value[],
    act: (s: Database.Statement, values: Value[]) => Answer,
  ) {
    try {
      const { statement, order } = prepared(text);
      return act(statement, order ? order.map(index => values[index] as Value) : values);
    } catch (error) {
      throw translate(error);
    }
  }

  const sql = {
    get: <Row>(text: string, ...values: Value[]) =>
      perform(text, values, (s, v) => s.get(...v) as Row | undefined),
    all: <Row>(text: string, ...values: Value[]) => perform(text, values, (s, v) => s.all(...v) as Row[]),
    run: (text: string, ...values: Value[]) => perform(text, values, (s, v) => s.run(...v).changes),
  };
  return { ...sql, unwatched: sql, attempt: savepointsOn(sql) };
}

function prepare(db: Database.Database, text: string): Prepared {
  const order: number[] = [];
  const statement = db.prepare(
    text.replace(LOCK, '').replace(/\$(\d+)/g, (_, digits) => {
      order.push(Number(digits) - 1);
      return '?';
    }),
  );
  const inOrder = order.every((place, index) => place === index);
  return { statement, order: inOrder ? null : order };
}
