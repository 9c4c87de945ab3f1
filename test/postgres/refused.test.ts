/** What a server refuses at a start that only an operator can change: told with the fix, and no connection stays. */
import * as assert from 'uvu/assert';
import { openPostgresStore } from '../../src/adapters/postgres/open-store.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { StoreMisfit } from '../../src/ports/store.ts';
import { locationAt } from '../contract/postgres-engine.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('postgres: refused');

if (!hasPostgres()) test('PostgreSQL is not installed', () => console.log('left out: refused starts'));
else
  test('a missing or wrong password, a missing database, and a role that does not own it', async () => {
    const server = await startPostgres();
    try {
      await server.query('CREATE DATABASE face');
      await server.query(`CREATE ROLE other LOGIN PASSWORD 'right'`);
      const [{ file, at } = { file: '', at: '' }] = await server.query<{ file: string; at: string }>(
        `SELECT current_setting('hba_file') AS file, CAST(pg_conf_load_time() AS TEXT) AS at`,
      );
      await server.query(
        `COPY (VALUES ('host all other 127.0.0.1/32 scram-sha-256'), ('host all all 127.0.0.1/32 trust')) TO '${file}'`,
      );
      await server.query('SELECT pg_reload_conf()');
      while (
        (await server.query(`SELECT 1 WHERE CAST(pg_conf_load_time() AS TEXT) <> '${at}'`)).length === 0
      );
      for (const [user, name, expected] of [
        ['other', 'face', /\/face does not let other in: DATABASE_URL has no password$/],
        ['other:wrong', 'face', /does not let other in: check the password in DATABASE_URL$/],
        ['other:right', 'none', /\/none does not exist: create it/],
        ['other:right', 'face', /must own it \(ALTER DATABASE face OWNER TO other\)$/],
      ] as const) {
        const url = server.urlOf(name).replace('postgres@', `${user}@`);
        const fault = await openPostgresStore(locationAt(url, tempFolder()), systemRandom()).catch(
          error => error,
        );
        assert.instance(fault, StoreMisfit);
        assert.match(fault.message, expected);
        while ((await server.query(`SELECT 1 FROM pg_stat_activity WHERE usename = 'other'`)).length > 0);
      }
    } finally {
      server.stop();
    }
  });

test.run();
