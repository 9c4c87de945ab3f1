/** SQLite as the contract's tests open it: a folder of its own for every database. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { StoreLocation } from '../../src/adapters/sqlite/location.ts';
import { openStore } from '../../src/adapters/sqlite/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import type { Store } from '../../src/ports/store.ts';
import { closing } from '../support/closing.ts';
import type { Engine, TestDatabase } from './engine.ts';

const FILE = 'contract.db';

export function databaseFile(db: TestDatabase): string {
  return join(db.address, FILE);
}

export function locationAt(address: string): StoreLocation {
  return {
    path: join(address, FILE),
    masterSecret: null,
    masterSecretFile: join(address, 'master.key'),
    erasuresFile: join(address, 'erasures.jsonl'),
  };
}

export async function openAt(address: string): Promise<Store> {
  return (await openStore(locationAt(address), systemRandom())).store;
}

export const sqliteEngine: Engine = {
  name: 'SQLite',
  offers: { files: true, erasedBytes: true },

  async create() {
    const folder = mkdtempSync(join(tmpdir(), 'face-sign-in-contract-'));
    const stores: Store[] = [];

    function read<Row>(sql: string): Row[] {
      using reader = closing(new Database(join(folder, FILE), { readonly: true }));
      return reader.prepare(sql).all() as Row[];
    }

    return {
      address: folder,

      async open() {
        const store = await openAt(folder);
        stores.push(store);
        return store;
      },

      rows: async <Row>(sql: string) => read<Row>(sql),

      bytes: async () =>
        Buffer.concat(
          readdirSync(folder)
            .filter(file => file !== 'master.key')
            .map(file => readFileSync(join(folder, file))),
        ),

      async check() {
        const [first, ...more] = read<{ integrity_check: string }>('PRAGMA integrity_check');
        return more.length === 0 && read('PRAGMA foreign_key_check').length === 0
          ? (first?.integrity_check ?? 'no answer')
          : 'rows that point nowhere, or pages that are not right';
      },

      async destroy() {
        for (const store of stores) await store.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};
