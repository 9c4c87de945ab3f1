/** The `Sql` interface on a connection to PostgreSQL. Each text is prepared once per connection, by name. */
import type pg from 'pg';
import type { Sql, Value } from '../sql/driver.ts';

export interface Statements {
  perform(text: string, values: readonly Value[]): Promise<pg.QueryResult>;
  /** Sends all without waiting in between. How each of them ended, once all have. */
  together(statements: readonly Statement[]): Promise<PromiseSettledResult<pg.QueryResult>[]>;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
}

/** These are run once, may hold several commands, and may take long: they are not prepared, and have time. */
const DEFINITION = /^\s*(?:--|CREATE|ALTER|VACUUM)/;
const DEFINITION_MS = 3_600_000;

const names = new Map<string, string>();

/** The same name for the same text in this process. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * A text cannot hold U+0000 here. No field that is stored may have one, and to look for one must find nothing, so it is
 * replaced as lone surrogates are.
 */
export const storableText = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');

const storable = (value: Value) => (typeof value === 'string' ? storableText(value) : value);

export function statementsOn(client: pg.PoolClient): Statements {
  const perform = (text: string, values: readonly Value[]) =>
    DEFINITION.test(text)
      ? client.query({ text, query_timeout: DEFINITION_MS } as pg.QueryConfig)
      : client.query({ name: nameOf(text), text, values: values.map(storable) });
  return {
    perform,
    together: statements => Promise.allSettled(statements.map(({ text, values }) => perform(text, values))),
  };
}

export function postgresSql({ perform }: Pick<Statements, 'perform'>): Sql {
  return {
    get: async <Row>(text: string, ...values: Value[]) =>
      (await perform(text, values)).rows[0] as Row | undefined,
    all: async <Row>(text: string, ...values: Value[]) => (await perform(text, values)).rows as Row[],
    run: async (text, ...values) => (await perform(text, values)).rowCount ?? 0,
  };
}

/** @throws the first fault */
export function resultsOf(ends: readonly PromiseSettledResult<pg.QueryResult>[]): pg.QueryResult[] {
  return ends.map(end => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}
