/** A commit that its standby may lack is no acknowledgement: whoever stops waiting for it, the write is refused. */
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { openPostgresContext } from '../../src/adapters/postgres/open-store.ts';
import { ofGallery, ROWS, type Scope } from '../../src/adapters/sql/scope.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { LIVE } from '../contract/fixtures.ts';
import { locationAt } from '../contract/postgres-engine.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('postgres: a standby that lacks a commit');
const ADD = 'INSERT INTO added (name) VALUES ($1) RETURNING name';
const CANCEL = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;

/** The server reads its settings again some time after it was asked to. */
async function untilCommitsWait(server: PostgresServer): Promise<void> {
  for (let isWaiting = false, tries = 0; !isWaiting; tries++) {
    let isOver = false;
    const write = server.query(`CREATE TABLE try_${tries} ()`).finally(() => {
      isOver = true;
    });
    while (!isOver && !isWaiting) isWaiting = (await server.query(CANCEL)).length > 0;
    await write;
  }
}

if (!hasPostgres())
  test('PostgreSQL is not installed', () => console.log('left out: commits without a standby'));
else
  test('a commit that is made here alone is refused, and not repeated', async () => {
    const server = await startPostgres(['fsync=off', 'wal_level=replica']);
    await server.query('CREATE DATABASE face');
    const { driver } = await openPostgresContext(
      locationAt(server.urlOf('face'), tempFolder()),
      systemRandom(),
    );
    const one = (scope: Scope, name: string) => driver.writeOne(scope, ADD, name);
    const several = (scope: Scope, name: string) => driver.write(scope, sql => sql.get(ADD, name));
    const ways: [string, (name: string) => Promise<unknown>][] = [
      ['a statement', name => one(ROWS, name)],
      ['a statement with locks', name => one(ofGallery(LIVE), name)],
      ['a transaction', name => several(ROWS, name)],
      ['a shared transaction', name => several(ofGallery(LIVE), name)],
    ];
    try {
      await driver.write(ROWS, sql => sql.run('CREATE TABLE added (name TEXT)'));
      await server.query(`ALTER SYSTEM SET synchronous_standby_names = 'none_such'`);
      await server.query('SELECT pg_reload_conf()');
      await untilCommitsWait(server);
      for (const [name, write] of ways) {
        let isOver = false;
        const ended = write(name)
          .then(
            () => 'acknowledged',
            error => error,
          )
          .finally(() => {
            isOver = true;
          });
        while (!isOver && (await server.query(CANCEL)).length === 0) await delay(5);
        assert.instance(await ended, StoreUnavailable, name);
      }
      const rows = await server.query<{ name: string }>('SELECT name FROM added', 'face');
      assert.equal(
        rows.map(({ name }) => name),
        ways.map(([name]) => name),
        'each is there once',
      );
    } finally {
      await driver.close();
      server.stop();
    }
  });

test.run();
