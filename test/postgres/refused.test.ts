/** What a server refuses at a start that only an operator can change: told with the fix, and no connection stays. */
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { openPostgresStore } from '../../src/adapters/postgres/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { StoreMisfit } from '../../src/ports/store.ts';
import { locationAt } from '../contract/postgres-engine.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('postgres: refused');
const sockets = () => process.getActiveResourcesInfo().filter(each => each === 'TCPSocketWrap').length;

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
        [
          'other:right',
          'none',
          /\/none does not exist: run createdb -O other .* none, or check DATABASE_URL$/,
        ],
        [
          'other:right',
          'face',
          /refuses other \(.*\): the role must own .*\(ALTER DATABASE "face" OWNER TO "other"\)$/,
        ],
      ] as const) {
        const url = server.urlOf(name).replace('postgres@', `${user}@`);
        const fault = await openPostgresStore(locationAt(url, tempFolder()), systemRandom()).catch(
          error => error,
        );
        assert.instance(fault, StoreMisfit);
        assert.match(fault.message, expected);
        for (let tries = 0; sockets() > 0; tries++) {
          assert.ok(tries < 100, 'a connection stays');
          await delay(20);
        }
      }
    } finally {
      server.stop();
    }
  });

test.run();
