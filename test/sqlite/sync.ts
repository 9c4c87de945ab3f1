/** When the disk is asked, and what is said when it fails: an acknowledgement never comes before its bytes are safe. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Driver } from '../../src/adapters/sql/driver.ts';
import { ROWS } from '../../src/adapters/sql/scope.ts';
import { openSqlite } from '../../src/adapters/sqlite/driver.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';

/** A disk that says when, and whether, it has taken what was written. */
class Disk {
  asked = 0;
  #answers: { resolve: () => void; reject: (error: Error) => void }[] = [];
  readonly sync = () =>
    new Promise<void>((resolve, reject) => {
      this.asked += 1;
      this.#answers.push({ resolve, reject });
    });

  take(): void {
    for (const { resolve } of this.#answers.splice(0)) resolve();
  }

  fail(): void {
    for (const { reject } of this.#answers.splice(0)) reject(new Error('EIO'));
  }
}

const pause = () => new Promise(next => setTimeout(next, 20));
const insert = (driver: Driver, n: number) =>
  driver.write(ROWS, sql => sql.run('INSERT INTO t (n) VALUES ($1)', n));
const stored = async (driver: Driver) =>
  (await driver.read.all<{ n: number }>('SELECT n FROM t')).map(row => row.n);

async function until(disk: Disk, asked: number): Promise<void> {
  while (disk.asked < asked) await pause();
}

export function sqliteSync(test: Suite): void {
  const check = (
    name: string,
    body: (given: { driver: Driver; disk: Disk; path: string }) => Promise<void>,
  ): void =>
    test(`SQLite: ${name}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sync-'));
      const path = join(folder, 'x.db');
      const disk = new Disk();
      const driver = openSqlite(path, disk.sync);
      try {
        const made = driver.write(ROWS, async sql => {
          await sql.run('CREATE TABLE t (n INTEGER)');
          await sql.run('CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT)');
        });
        await until(disk, 1);
        disk.take();
        await made;
        await body({ driver, disk, path });
      } finally {
        await driver.close();
        rmSync(folder, { recursive: true });
      }
    });

  check(
    'a write is acknowledged when the disk has its bytes, and the next one is asked for anew',
    async given => {
      const { driver, disk } = given;
      for (let n = 1; n <= 3; n++) {
        let done = false;
        const write = insert(driver, n).then(() => {
          done = true;
        });
        await until(disk, n + 1);
        await pause();
        assert.not(done, 'acknowledged before the disk had it');
        disk.take();
        await write;
      }
    },
  );

  check('writes that wait for the disk together ask it once', async ({ driver, disk }) => {
    const writes = Promise.all([1, 2, 3, 4].map(n => insert(driver, n)));
    await until(disk, 2);
    disk.take();
    await writes;
    assert.is(disk.asked, 2);
    assert.equal(await stored(driver), [1, 2, 3, 4]);
  });

  check('what was read counts once the disk has it: nobody hears of it before', async ({ driver, disk }) => {
    const written = insert(driver, 7);
    await until(disk, 2);
    assert.equal(await stored(driver), [7], 'it can be read already');
    let isSettled = false;
    const settled = driver.settled().then(() => {
      isSettled = true;
    });
    await until(disk, 3);
    await pause();
    assert.not(isSettled);
    disk.take();
    await Promise.all([written, settled]);
    const failing = driver.settled().catch(error => error);
    await until(disk, 4);
    disk.fail();
    assert.instance(await failing, StoreUnavailable);
  });

  check('the disk fails: all of the group are told, once each, and the service knows', async given => {
    const { driver, disk } = given;
    const writes = Promise.allSettled([1, 2].map(n => insert(driver, n)));
    await until(disk, 2);
    disk.fail();
    for (const result of await writes) {
      assert.is(result.status, 'rejected');
      assert.instance((result as PromiseRejectedResult).reason, StoreUnavailable);
    }
    assert.is((await stored(driver)).length, 2, 'nothing was tried twice');
    assert.is(disk.asked, 2);
  });

  check('after a failure nothing is acknowledged before the log is in the database file', async given => {
    const { driver, disk, path } = given;
    const failed = insert(driver, 1).catch(error => error);
    await until(disk, 2);
    disk.fail();
    assert.instance(await failed, StoreUnavailable);
    const full = statSync(`${path}-wal`).size;
    let well = false;
    const ping = driver.ping().then(() => {
      well = true;
    });
    await until(disk, 3);
    await pause();
    assert.not(well, 'the disk has taken nothing since');
    assert.ok(statSync(`${path}-wal`).size < full, 'the log was emptied, then written again');
    disk.take();
    await ping;
    assert.equal(await stored(driver), [1]);
  });
}
