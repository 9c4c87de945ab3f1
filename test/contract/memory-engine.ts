/** The store in plain collections, as the contract's tests open it. They look at its collections as rows of the schema. */
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { migrations } from '../../src/adapters/sql/migrations.ts';
import type { Store } from '../../src/ports/store.ts';
import type { Engine } from './engine.ts';
import { Data } from './memory-store/data.ts';
import { memoryStore } from './memory-store/store.ts';
import type { Table } from './memory-store/tables.ts';

/** Keys are no part of what a thief of the rows would find. */
const UNSEEN = new Set(['data_keys', 'meta']);
/** What only rows of SQL have. */
const CONSTANTS: Record<string, unknown> = {
  mac: '',
  importing: 0,
  journaled: 1,
  email_hash: null,
  team_id: '',
};

const camel = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

function cell(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

let empty: Buffer | undefined;

/** A database with the newest schema, made once. */
function emptySchema(): Buffer {
  if (empty) return empty;
  const made = new Database(':memory:');
  for (const { text } of migrations()) made.exec(text());
  empty = made.serialize();
  made.close();
  return empty;
}

/** An event whose user was erased. */
const isForgotten = (row: Record<string, unknown>) => 'type' in row && row.ip === null;

/** A throwaway copy that takes queries. */
function snapshot(data: Data): Database.Database {
  const copy = new Database(emptySchema());
  copy.pragma('foreign_keys = OFF');
  for (const name of tablesOf(copy)) {
    const table = (data as unknown as Record<string, Table<Record<string, unknown>> | undefined>)[
      camel(name)
    ];
    const columns = copy.pragma(`table_info(${name})`) as { name: string }[];
    const insert = copy.prepare(`INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`);
    // A migration may have inserted rows.
    if (table) copy.exec(`DELETE FROM ${name}`);
    for (const row of table?.where() ?? [])
      insert.run(
        columns.map(column => {
          if (column.name === 'email_hash' || column.name === 'email_key')
            return createHash('sha256').update(String(row.email).toLowerCase()).digest('hex');
          // In the clear in memory. A file would have it sealed.
          if (column.name === 'sealed' && !('sealed' in row))
            return isForgotten(row) ? null : createHash('sha256').update(JSON.stringify(row)).digest();
          return cell(row[camel(column.name)] ?? CONSTANTS[column.name] ?? null);
        }),
      );
  }
  return copy;
}

function tablesOf(copy: Database.Database): string[] {
  const all = copy.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all() as { name: string }[];
  return all.map(({ name }) => name).filter(name => !UNSEEN.has(name));
}

export const memoryEngine: Engine = {
  name: 'memory',
  offers: { durability: false, files: false, erasedBytes: true },

  async create() {
    const data = new Data();
    const stores: Store[] = [];

    function look<Answer>(at: (copy: Database.Database) => Answer): Answer {
      const copy = snapshot(data);
      try {
        return at(copy);
      } finally {
        copy.close();
      }
    }

    return {
      address: '',
      async open() {
        const store = memoryStore(data);
        stores.push(store);
        return store;
      },
      rows: async <Row>(sql: string) => look(copy => copy.prepare(sql).all() as Row[]),
      bytes: async () =>
        look(copy => {
          const rows = tablesOf(copy).flatMap(
            name => copy.prepare(`SELECT * FROM ${name}`).all() as object[],
          );
          const values = rows.flatMap(row => Object.values(row));
          return Buffer.concat(
            values.map(value =>
              value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value)),
            ),
          );
        }),
      check: async () =>
        look(copy =>
          (copy.pragma('foreign_key_check') as object[]).length === 0 ? 'ok' : 'rows that point nowhere',
        ),
      async destroy() {
        for (const store of stores) await store.close();
      },
    };
  },
};
