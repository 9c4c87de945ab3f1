/** PostgreSQL as the contract's tests open it: one server for a file of tests, and a copy of a ready database for each test. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresStore, type PostgresLocation } from '../../src/adapters/postgres/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import type { Store } from '../../src/ports/store.ts';
import { postgresUrl } from '../../src/settings/postgres.ts';
import { hasPostgres, type PostgresServer } from '../support/postgres.ts';
import { copyOfReady, serverWithReady, TEST_MASTER_SECRET } from '../support/ready-database.ts';
import type { Suite } from '../support/suite.ts';
import type { Engine } from './engine.ts';
import { holdContract } from './tiers.ts';

let running: Promise<PostgresServer> | undefined;
let made = 0;

export function locationAt(address: string, folder: string): PostgresLocation {
  return {
    address: postgresUrl('DATABASE_URL', address),
    pool: 16,
    masterSecret: TEST_MASTER_SECRET,
    masterSecretFile: join(folder, 'master.key'),
    erasuresFile: join(folder, `erasures-${process.pid}-${made++}.jsonl`),
  };
}

/** For another process on the same database. */
export async function openPostgresAt(address: string): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'face-sign-in-node-'));
  return (await openPostgresStore(locationAt(address, folder), systemRandom())).store;
}

export const postgresEngine = (): Engine => ({
  name: 'PostgreSQL',
  offers: { files: false, erasedBytes: false },

  async create() {
    running ??= serverWithReady();
    const server = await running;
    const name = `test_${made++}`;
    await server.query(copyOfReady(name));
    const folder = mkdtempSync(join(tmpdir(), 'face-sign-in-contract-'));
    const stores: Store[] = [];
    return {
      address: server.urlOf(name),

      async open() {
        const location = locationAt(server.urlOf(name), folder);
        const { store } = await openPostgresStore(location, systemRandom());
        stores.push(store);
        return store;
      },

      rows: <Row>(sql: string) => server.query<Row>(sql, name),
      bytes: () => server.bytesOf(name),
      // The server checks foreign keys by itself.
      check: async () => 'ok',

      async destroy() {
        await Promise.all(stores.map(store => store.close()));
        await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
});

/** Adds the contract, if PostgreSQL is installed. What only its server can suffer: test/postgres. */
export function holdOnPostgres(test: Suite): void {
  if (hasPostgres()) holdContract(test, postgresEngine());
  else test('PostgreSQL is not installed', () => console.log('left out: the contract on PostgreSQL'));
}
