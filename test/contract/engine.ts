/**
 * What the contract needs of a database engine, and how its tests are run: every test gets a database of its own. A
 * new engine supplies one more `Engine` and calls `holdContract` (tiers.ts).
 */
import type { EventType, Store } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { appRecord, FIRST, SECOND } from './fixtures.ts';

/** What not every engine has. */
export interface Offers {
  /** The database is a file of this machine. */
  readonly files: boolean;
  /** What was deleted is on no disk any more. */
  readonly erasedBytes: boolean;
}

export interface Engine {
  readonly name: string;
  readonly offers: Offers;
  /** A new database without any rows. */
  create(): Promise<TestDatabase>;
}

export interface TestDatabase {
  /** By this another process opens the same database: `openAt` in writer.ts. */
  readonly address: string;
  /** One more handle, independent of the others as a process's is. Closed with the database. */
  open(): Promise<Store>;
  /** What is committed, in SQL that every engine takes. */
  rows<Row = Record<string, unknown>>(sql: string): Promise<Row[]>;
  /** All that the engine keeps on disk. */
  bytes(): Promise<Buffer>;
  /** What the engine says of its own files: `ok`, or what is wrong. */
  check(): Promise<string>;
  destroy(): Promise<void>;
}

export interface Given {
  readonly db: TestDatabase;
  readonly store: Store;
}

export type Contract = (name: string, body: (given: Given) => Promise<void>) => void;

/**
 * Adds tests to the suite; each begins with the two apps FIRST and SECOND, unless it wants nothing. Those that need what
 * the engine does not offer are left out, and the test run says how many.
 */
export function contractOn(
  test: Suite,
  engine: Engine,
  { apps = true, needs }: { apps?: boolean; needs?: keyof Offers } = {},
): Contract {
  if (needs !== undefined && !engine.offers[needs]) {
    let names = 0;
    test.after(() =>
      console.log(`left out: ${names} tests of ${needs}, which ${engine.name} does not offer`),
    );
    return () => {
      names++;
    };
  }
  return (name, body) =>
    test(`${engine.name}: ${name}`, async () => {
      const db = await engine.create();
      try {
        const store = await db.open();
        if (apps) for (const id of [FIRST, SECOND]) await store.createApp(appRecord(id));
        await body({ db, store });
      } finally {
        await db.destroy();
      }
    });
}

const TABLES = [
  'apps',
  'api_keys',
  'galleries',
  'users',
  'templates',
  'removed_templates',
  'consents',
  'email_codes',
  'challenges',
  'usage',
  'auth_events',
  'windows',
  'signing_keys',
  'revoked_tokens',
  'outbox',
  'outbox_heads',
];

/** Every row of every table, for telling whether anything changed. */
export async function everything(db: TestDatabase): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const table of TABLES)
    tables[table] = (await db.rows(`SELECT * FROM ${table}`)).map(row => JSON.stringify(row)).sort();
  return tables;
}

export async function count(db: TestDatabase, table: string, where = '1 = 1'): Promise<number> {
  const [row] = await db.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`);
  return Number(row?.n);
}

/** Events of all apps, newest first, without ids. */
export async function eventsIn(store: Store, type?: EventType) {
  const events = await store.listEvents(type ? { type } : {}, null, 100);
  return events.map(({ id: _, gallery: __, ...event }) => event);
}

/** What another handle has committed counts from the next turn of the event loop on. */
export function nextTurn(): Promise<void> {
  return new Promise(done => setTimeout(done, 1));
}

/** How often each outcome came. */
export function tally(outcomes: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const name =
      typeof outcome === 'object' && outcome !== null && 'outcome' in outcome ? outcome.outcome : outcome;
    counts[String(name)] = (counts[String(name)] ?? 0) + 1;
  }
  return counts;
}
