/** Databases for tests on a PostgreSQL server: copies of one whose schema is the newest, which is fast. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresStore } from '../../src/adapters/postgres/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { postgresUrl } from '../../src/settings/postgres.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

/** Of every deployment of a test run, so that copies of a database open. */
export const TEST_MASTER_SECRET = Buffer.alloc(32, 7);
const READY = 'ready';

export async function serverWithReady(): Promise<PostgresServer> {
  const server = await startPostgres();
  await server.query(`CREATE DATABASE ${READY}`);
  const { store } = await openPostgresStore(
    {
      address: postgresUrl('DATABASE_URL', server.urlOf(READY)),
      pool: 2,
      masterSecret: TEST_MASTER_SECRET,
      masterSecretFile: '',
      erasuresFile: join(tmpdir(), `erasures-${randomUUID()}.jsonl`),
    },
    systemRandom(),
  );
  await store.close();
  return server;
}

export const copyOfReady = (name: string) => `CREATE DATABASE ${name} TEMPLATE ${READY} STRATEGY FILE_COPY`;
