/** The `Sql` interface on a connection to PostgreSQL. Each text is prepared once per connection, by name. */
import type { Duplex } from 'node:stream';
import pg from 'pg';
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
const storableText = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');

/** Sends all statements of one turn of the event loop with one system call. The driver would make one for each. */
function holdUntilTurnEnds(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

const storable = (value: Value) => (typeof value === 'string' ? storableText(value) : value);

export function statementsOn(client: pg.PoolClient): Statements {
  const perform = (text: string, values: readonly Value[]) => {
    holdUntilTurnEnds(client);
    if (DEFINITION.test(text)) return client.query({ text, query_timeout: DEFINITION_MS } as pg.QueryConfig);
    return prepared(client, text, values);
  };
  return {
    perform,
    together: statements => Promise.allSettled(statements.map(({ text, values }) => perform(text, values))),
  };
}

/** Like `client.query({ name, text, values })`, which copies that object, and rebuilds the stack of each error. */
function prepared(client: pg.PoolClient, text: string, values: readonly Value[]): Promise<pg.QueryResult> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
  const query = new pg.Query(text, values.map(storable), (error, result) =>
    error ? reject(error) : resolve(result),
  );
  Object.assign(query, { name: nameOf(text) });
  client.query(query);
  return promise;
}

export function postgresSql({ perform }: Pick<Statements, 'perform'>): Sql {
  return {
    get: async <Row>(text: string, ...values: Value[]) =>
      (await perform(text, values)).rows[0] as Row | undefined,
    all: async <Row>(text: string, ...values: Value[]) => (await perform(text, values)).rows as Row[],
    run: async (text, ...values) => (await perform(text, values)).rowCount ?? 0,
  };
}
