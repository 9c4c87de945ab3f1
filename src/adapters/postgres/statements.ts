/**
 * The `Sql` interface on a connection to PostgreSQL. Each text is prepared once per connection, by name. All statements
 * of one turn of the event loop are one piece: one write here, and one answer of the server, which skips what follows a
 * statement that fails. The driver alone would make a system call for each, and the server too.
 */
import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Sql, Value } from '../sql/driver.ts';

export interface Outcome {
  readonly command: string;
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}

export interface Statements {
  /** Nobody has to wait for it: `fault` tells whether it failed. */
  perform(text: string, values: readonly Value[]): Promise<Outcome>;
  /** What follows is performed even if something before has failed. */
  endPiece(): void;
  /** The first fault of all statements so far, once they have ended: those behind it failed because of it. */
  fault(): Promise<unknown>;
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

function storable(value: Value): string | Buffer | null {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return String(value);
  return value && Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

interface Column {
  readonly name: string;
  readonly parse: (value: string) => unknown;
}

/** What a connection has prepared, by text. */
const prepared = new WeakMap<pg.PoolClient, Map<string, readonly Column[]>>();

interface Asked extends Statement, PromiseWithResolvers<Outcome> {
  readonly rows: unknown[];
}

/** What the driver calls, and what the types of the driver leave out. */
interface Line {
  stream: Pick<Duplex, 'write'> & { readonly writable: boolean };
  close(of: { type: 'S'; name: string }): void;
  parse(of: { name: string; text: string }): void;
  bind(of: { statement: string; values: readonly (string | Buffer | null)[] }): void;
  describe(of: { type: 'P' }): void;
  execute(of: object): void;
  sync(): void;
}

type Description = { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] };

/** Several statements that the driver takes for one query. */
function pieceOn(client: pg.PoolClient, asked: readonly Asked[]): pg.Query {
  const known = prepared.get(client) ?? new Map<string, readonly Column[]>();
  prepared.set(client, known);
  let answered = 0;
  let columns: readonly Column[] | undefined;
  const next = () => asked[answered] as Asked;
  const query = new pg.Query('', [], error => {
    if (error) for (const { reject } of asked.slice(answered)) reject(error);
  });
  return Object.assign(query, {
    submit(line: Line) {
      const { stream } = line;
      const chunks: Uint8Array[] = [];
      line.stream = { writable: true, write: (chunk: Uint8Array) => chunks.push(chunk) > 0 };
      const described = new Set<string>();
      try {
        for (const { text, values } of asked) {
          const name = nameOf(text);
          const isNew = !known.has(text) && !described.has(text);
          if (isNew) {
            // It may be there: prepared by a piece that failed.
            line.close({ type: 'S', name });
            line.parse({ name, text });
          }
          line.bind({ statement: name, values: values.map(storable) });
          if (!known.has(text)) line.describe({ type: 'P' });
          described.add(text);
          line.execute({});
        }
        line.sync();
      } finally {
        line.stream = stream;
      }
      stream.write(Buffer.concat(chunks));
    },
    handleRowDescription({ fields }: Description) {
      columns = fields.map(({ name, dataTypeID }) => ({
        name,
        parse: client.getTypeParser(dataTypeID, 'text') as Column['parse'],
      }));
    },
    handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }) {
      columns ??= known.get(next().text) ?? [];
      const row: Record<string, unknown> = {};
      // Not by an iterator: galleries have many rows.
      for (let at = 0; at < columns.length; at++) {
        const { name, parse } = columns[at] as Column;
        const value = fields[at] ?? null;
        row[name] = value === null ? null : parse(value);
      }
      next().rows.push(row);
    },
    handleCommandComplete({ text: tag }: { readonly text: string }) {
      const { text, rows, resolve } = next();
      if (!known.has(text)) known.set(text, columns ?? []);
      columns = undefined;
      answered += 1;
      const [command = '', ...counts] = tag.split(' ');
      resolve({ command, rows, rowCount: counts.length > 0 ? Number(counts.at(-1)) : null });
    },
  });
}

export function statementsOn(client: pg.PoolClient): Statements {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  let waiting: Asked[] = [];
  let last: Promise<unknown> = Promise.resolve();
  let fault: unknown;

  function send(): void {
    if (waiting.length === 0) return;
    const piece = pieceOn(client, waiting);
    waiting = [];
    // Several pieces of one turn go together too.
    stream.cork();
    client.query(piece);
    process.nextTick(() => stream.uncork());
  }

  function noted(ended: Promise<Outcome>): Promise<Outcome> {
    last = ended.catch(error => {
      fault ??= error;
    });
    return ended;
  }

  function perform(text: string, values: readonly Value[]): Promise<Outcome> {
    if (DEFINITION.test(text)) {
      send();
      return noted(client.query({ text, query_timeout: DEFINITION_MS } as pg.QueryConfig));
    }
    if (waiting.length === 0) process.nextTick(send);
    const asked = { text, values, rows: [], ...Promise.withResolvers<Outcome>() };
    waiting.push(asked);
    return noted(asked.promise);
  }

  return {
    perform,
    endPiece: send,
    async fault() {
      await last;
      return fault;
    },
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
