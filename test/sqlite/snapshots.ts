/** Snapshots: one state for all that is read in one, and nobody waits for anybody. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import type { Driver, Sql } from '../../src/adapters/sql/driver.ts';
import { SERVICE } from '../../src/adapters/sql/scope.ts';
import { openSqlite } from '../../src/adapters/sqlite/driver.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';

const count = async (sql: Sql) => (await sql.get<{ n: number }>('SELECT COUNT(*) AS n FROM t'))?.n;
const add = (driver: Driver) => driver.write(SERVICE, sql => sql.run('INSERT INTO t (n) VALUES (1)'));

export function sqliteSnapshots(test: Suite): void {
  const check = (name: string, body: (given: { driver: Driver; path: string }) => Promise<void>): void =>
    test(`SQLite: ${name}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'snapshots-'));
      const path = join(folder, 'x.db');
      const driver = openSqlite(path);
      try {
        await driver.write(SERVICE, sql => sql.run('CREATE TABLE t (n INTEGER)'));
        await body({ driver, path });
      } finally {
        await driver.close();
        rmSync(folder, { recursive: true });
      }
    });

  check('a snapshot sees one state, and other reads the newest beside it', async ({ driver }) => {
    await driver.snapshot(async sql => {
      assert.is(await count(sql), 0);
      // No writer waits for it.
      await add(driver);
      assert.is(await count(driver.read), 1);
      assert.is(await count(sql), 0);
    });
    assert.is(await driver.snapshot(count), 1, 'the next one begins anew');
  });

  check('a snapshot waits for no writer', async ({ driver, path }) => {
    const holder = new Database(path);
    holder.exec('BEGIN IMMEDIATE; INSERT INTO t (n) VALUES (1)');
    assert.is(await driver.snapshot(count), 0);
    holder.exec('COMMIT');
    holder.close();
    assert.is(await driver.snapshot(count), 1);
  });

  check(
    'snapshots at once come one after another, and one that throws ends by itself',
    async ({ driver }) => {
      const fault = new Error('its own');
      const answers = await Promise.allSettled([
        driver.snapshot(count),
        driver.snapshot(async sql => {
          await count(sql);
          throw fault;
        }),
        driver.snapshot(sql => sql.run('INSERT INTO t (n) VALUES (1)')),
        driver.snapshot(count),
      ]);
      const [first, thrown, written, last] = answers.map(answer =>
        answer.status === 'fulfilled' ? answer.value : answer.reason,
      );
      assert.equal([first, thrown, last], [0, fault, 0]);
      assert.match(written.cause.message, /readonly/, 'nothing can be written in one');
    },
  );

  check('a file that was moved away before the first one is not read in another place', async given => {
    const { driver, path } = given;
    renameSync(path, `${path}.away`);
    assert.instance(await driver.snapshot(count).catch(error => error), StoreUnavailable);
    renameSync(`${path}.away`, path);
    assert.is(await driver.snapshot(count), 0);
  });
}
