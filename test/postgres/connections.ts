/** Which host is used, which databases are refused, and what a lost or frozen connection does to others. */
import * as assert from 'uvu/assert';
import { ofApp, ofGallery, ROWS } from '../../src/adapters/sql/scope.ts';
import { StoreMisfit, StoreUnavailable } from '../../src/ports/store.ts';
import { enrolled, LIVE, NOW } from '../contract/fixtures.ts';
import { closing } from '../support/closing.ts';
import { startDetour } from '../support/detour.ts';
import { startPostgres } from '../support/postgres.ts';
import type { Suite } from '../support/suite.ts';
import { driverAt, holding, nodesOn } from './given.ts';

export function connections(test: Suite): void {
  const check = nodesOn(test);

  check('of several hosts the one that answers is used, and of none: unavailable', async ({ db }) => {
    for (const [hosts, works] of [
      ['127.0.0.2,127.0.0.1', true],
      ['127.0.0.1,127.0.0.2', true],
      ['127.0.0.2,127.0.0.3', false],
    ] as const) {
      await using driver = closing(driverAt(db.address.replace('127.0.0.1', hosts)));
      const answer = await driver.read.get<{ one: number }>('SELECT 1 AS one').catch((error: Error) => error);
      if (works) assert.is((answer as { one: number }).one, 1, hosts);
      else assert.instance(answer, StoreUnavailable, hosts);
    }
  });

  check('a server that accepts no writes is not used', async ({ db, one }) => {
    const name = new URL(db.address).pathname.slice(1);
    await one.read.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await using driver = closing(driverAt(db.address));
    assert.instance(await driver.read.get('SELECT 1').catch(error => error), StoreUnavailable);
  });

  check('isolation and durability are ours, whatever the database says', async ({ db, one }) => {
    const name = new URL(db.address).pathname.slice(1);
    await one.read.run(`ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`);
    await one.read.run(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    await one.read.run(`ALTER DATABASE ${name} SET client_min_messages = error`);
    await using driver = closing(driverAt(db.address));
    const SHOWN = `SELECT current_setting('transaction_isolation') AS isolation,
      current_setting('synchronous_commit') AS commit, current_setting('client_min_messages') AS told`;
    const wanted = { isolation: 'read committed', commit: 'on', told: 'warning' };
    assert.equal({ ...(await driver.write(ROWS, sql => sql.get<typeof wanted>(SHOWN))) }, wanted);
    assert.equal({ ...(await driver.writeOne<typeof wanted>(ofGallery(LIVE), SHOWN))[0] }, wanted);
  });

  check('after a write without an answer others are refused at once, and soon one is tried', async given => {
    const { db, one, two } = given;
    const name = new URL(db.address).pathname.slice(1);
    await one.write(ROWS, sql => sql.run('CREATE TABLE counted (n INTEGER)'));
    const sleeping = one.writeOne(ROWS, 'SELECT pg_sleep(600)').catch(error => error);
    assert.instance(await sleeping, StoreUnavailable);
    const add = () => one.writeOne(ROWS, 'INSERT INTO counted VALUES (1)').catch(error => error);
    // The first is the try that shows that the server is well again.
    const outcomes = await Promise.all([add(), add(), add()]);
    assert.ok(outcomes.slice(1).every(outcome => outcome instanceof StoreUnavailable));
    const end = performance.now() + 20_000;
    while ((await add()) instanceof StoreUnavailable) assert.ok(performance.now() < end, 'it is tried again');
    const asleep = `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}' AND query LIKE '%sleep(600)%' AND pid <> pg_backend_pid()`;
    while (await two.read.get(asleep)) assert.ok(performance.now() < end, 'the server goes on with it');
  });

  check('who leaves writes without an answer is left for the next host', async ({ db }) => {
    const line = await startDetour(Number(new URL(db.address).port));
    const through = new URL(line.through(db.address));
    // The same server twice: through a line that falls silent, and, on the same port, directly on another address.
    const direct = await startDetour(Number(new URL(db.address).port), 0, {
      host: '127.0.0.2',
      port: Number(through.port),
    });
    const driver = driverAt(through.href.replace('127.0.0.1', '127.0.0.1,127.0.0.2'), 3);
    try {
      // One for the write, one that ends it on the server, and one that is idle, and must be left too.
      // Transactions of their own: short reads and writes would share a connection.
      const apart = ['a', 'b', 'c'].map(app =>
        driver.write(ofApp(app), sql => sql.get('SELECT pg_sleep(0.1)')),
      );
      await Promise.all(apart);
      line.set('silent');
      assert.instance(await driver.writeOne(ROWS, 'SELECT 1').catch(error => error), StoreUnavailable);
      await new Promise(done => setTimeout(done, 1_100));
      assert.is((await driver.writeOne(ROWS, 'SELECT 1')).length, 1);
    } finally {
      await driver.close();
      line.close();
      direct.close();
    }
  });

  test('a database of another encoding or order is refused by name', async () => {
    const server = await startPostgres();
    try {
      await server.query(
        `CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
      );
      await server.query(`CREATE DATABASE sorted LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8' TEMPLATE template0`);
      await server.query(
        `CREATE DATABASE icu LOCALE_PROVIDER icu ICU_LOCALE 'und' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
      );
      for (const [name, reported] of [
        ['latin', /the encoding LATIN1: create it with ENCODING 'UTF8'/],
        ['sorted', /sorts by C\.UTF-8, which changes with the system: create it with LC_COLLATE 'C'/],
        ['icu', /sorts by ICU, which changes with the system: .*LOCALE_PROVIDER libc/],
      ] as const) {
        const driver = driverAt(server.urlOf(name));
        const fault = (await driver.read.get('SELECT 1').catch(error => error)) as Error;
        await driver.close();
        assert.instance(fault, StoreMisfit, name);
        assert.match(fault.message, reported);
      }
    } finally {
      server.stop();
    }
  });

  check('a server older than 15 is refused by name', async ({ db, one }) => {
    const name = new URL(db.address).pathname.slice(1);
    // It says that it is one: this function is found before the server's own.
    await one.read.run(
      `CREATE FUNCTION public.current_setting(TEXT) RETURNS TEXT LANGUAGE sql AS
         $$ SELECT CASE $1 WHEN 'server_version_num' THEN '140012' ELSE pg_catalog.current_setting($1) END $$`,
    );
    await one.read.run(`ALTER DATABASE ${name} SET search_path = public, pg_catalog`);
    const driver = driverAt(db.address);
    const fault = (await driver.read.get('SELECT 1').catch(error => error)) as Error;
    await driver.close();
    assert.instance(fault, StoreMisfit);
    assert.is(fault.message, 'the database server is PostgreSQL 14: use 15 or newer');
  });

  check('a request that waits too long for a connection is refused, and the host stays', async ({ db }) => {
    // The second host does not exist: nothing may turn to it.
    await using driver = closing(driverAt(db.address.replace('127.0.0.1', '127.0.0.1,127.0.0.2'), 1));
    const sleeping = driver.read.all('SELECT pg_sleep(7)');
    const fault = await driver.read.get('SELECT 1').catch(error => error);
    assert.instance(fault, StoreUnavailable, 'it waits once, not for each host');
    await sleeping;
    assert.ok(await driver.read.get('SELECT 1'));
  });

  check('connections that the server ended are replaced, and no fault is reported', async ({ one, two }) => {
    await one.read.get('SELECT 1');
    await two.read.all(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()',
    );
    await new Promise(done => setTimeout(done, 50));
    assert.equal({ ...(await one.read.get<{ one: number }>('SELECT 1 AS one')) }, { one: 1 });
  });

  check('a commit whose answer is lost is unavailable, and is not made twice', async ({ one, two }) => {
    let runs = 0;
    const fault = await one
      .write(ROWS, async sql => {
        runs += 1;
        const row = await sql.get<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        await two.read.get('SELECT pg_terminate_backend($1)', row?.pid ?? 0);
      })
      .catch(error => error);
    assert.instance(fault, StoreUnavailable);
    assert.is(runs, 1);
  });

  check('a node that freezes in a transaction holds its rows for two seconds', async ({ store, one }) => {
    await enrolled(store);
    const thaw = await holding(one, ofGallery(LIVE));
    const began = performance.now();
    const name = await store.updateUser(LIVE, 'usr_none', { name: 'Name' });
    const waited = performance.now() - began;
    assert.is(name, null);
    assert.ok(waited > 1_000 && waited < 4_000, `${waited} ms`);
    assert.instance(await thaw().catch(error => error), StoreUnavailable, 'what it did is not done');
    await store.addChallenge({ id: 'ch', gallery: LIVE, expiresAt: NOW });
  });
}
