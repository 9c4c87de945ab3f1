/**
 * A second driver, so that `Driver` is an interface and no description of SQLite's file: a database in memory behind a
 * server of its own, which answers later, has no file and is shared by several handles. Whoever awaits anything but the
 * transaction's own statements inside of it waits for ever here. For tests only; it forgets everything.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Driver, Sql, Value } from '../../src/adapters/sql/driver.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';

const answer = () => new Promise(turn => setImmediate(turn));

export class Server {
  readonly #database = new DatabaseSync(':memory:');
  #last: Promise<unknown> = Promise.resolve();
  /** Transactions that were committed, by anybody. */
  #commits = 0;
  #waiting = 0;

  /** One connection: what is asked of it comes one after another. */
  alone<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    this.#waiting += 1;
    const answered = this.#last.then(work).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get commits(): number {
    return this.#commits;
  }

  readonly within: Sql = {
    get: async <Row>(text: string, ...values: Value[]) => {
      const row = this.#prepared(text).get(named(values));
      return (row && { ...row }) as Row | undefined;
    },
    all: async <Row>(text: string, ...values: Value[]) =>
      this.#prepared(text)
        .all(named(values))
        .map(row => ({ ...row }) as Row),
    run: async (text, ...values) => Number(this.#prepared(text).run(named(values)).changes),
  };

  /** @param end what becomes of it when `work` does not throw */
  transaction<Answer>(work: (sql: Sql) => Promise<Answer>, end: 'COMMIT' | 'ROLLBACK'): Promise<Answer> {
    return this.alone(async () => {
      await answer();
      this.#database.exec('BEGIN');
      try {
        const done = await work(this.within);
        this.#database.exec(end);
        if (end === 'COMMIT') this.#commits += 1;
        return done;
      } finally {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      }
    });
  }

  close(): void {
    this.#database.close();
  }

  #prepared(text: string) {
    const statement = this.#database.prepare(text);
    statement.setAllowUnknownNamedParameters(true);
    return statement;
  }
}

function named(values: readonly Value[]): Record<string, SQLInputValue> {
  return Object.fromEntries(values.map((value, i) => [`$${i + 1}`, value]));
}

export function memoryDriver(server: Server): Driver {
  let isClosed = false;
  const open = () => {
    if (isClosed) throw new StoreUnavailable(new Error('the handle is closed'));
  };
  const each =
    <Arguments extends unknown[], Answer>(ask: (...given: Arguments) => Promise<Answer>) =>
    async (...given: Arguments): Promise<Answer> => {
      open();
      return server.alone(async () => {
        await answer();
        return ask(...given);
      });
    };
  const driver: Driver = {
    read: {
      get: each(server.within.get) as Sql['get'],
      all: each(server.within.all) as Sql['all'],
      run: each(server.within.run),
    },
    async snapshot(work) {
      open();
      return server.transaction(work, 'ROLLBACK');
    },
    async write(_scope, work) {
      open();
      return server.transaction(work, 'COMMIT');
    },
    freshness: {
      async mark() {
        open();
        await answer();
        return `after ${server.commits}`;
      },
    },
    file: null,
    scrub: async () => undefined,
    ping: async () => open(),
    probe: async () => open(),
    writesWaiting: () => server.waiting,
    async close() {
      isClosed = true;
    },
  };
  return driver;
}
