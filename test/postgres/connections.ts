/** Which host is used, which databases are refused, and what a lost or frozen connection does to others. */
import * as assert from 'uvu/assert';
import { openPostgres } from '../../src/adapters/postgres/driver.ts';
import { ofGallery, ROWS } from '../../src/adapters/sql/scope.ts';
import { StoreMisfit, StoreUnavailable } from '../../src/ports/store.ts';
import { postgresUrl } from '../../src/settings/postgres.ts';
import { enrolled, LIVE, NOW } from '../contract/fixtures.ts';
import { startPostgres } from '../support/postgres.ts';
import type { Suite } from '../support/suite.ts';
import { nodesOn } from './given.ts';

const at = (url: string) => openPostgres(postgresUrl('DATABASE_URL', url), { pool: 2 });

export function connections(test: Suite): void {
  const check = nodesOn(test);

  check('of several hosts the one that answers is used, and of none: unavailable', async ({ db }) => {
    for (const [hosts, works] of [
      ['127.0.0.2,127.0.0.1', true],
      ['127.0.0.1,127.0.0.2', true],
      ['127.0.0.2,127.0.0.3', false],
    ] as const) {
      const driver = at(db.address.replace('127.0.0.1', hosts));
      try {
        const answer = await driver.read
          .get<{ one: number }>('SELECT 1 AS one')
          .catch((error: Error) => error);
        if (works) assert.is((answer as { one: number }).one, 1, hosts);
        else assert.instance(answer, StoreUnavailable, hosts);
      } finally {
        await driver.close();
      }
    }
  });

  check('a server that accepts no writes is not used', async ({ db, one }) => {
    const name = new URL(db.address).pathname.slice(1);
    await one.read.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const driver = at(db.address);
    try {
      assert.instance(await driver.read.get('SELECT 1').catch(error => error), StoreUnavailable);
    } finally {
      await driver.close();
    }
  });

  test('a database of another encoding or order is refused by name', async () => {
    const server = await startPostgres();
    try {
      await server.query(
        `CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
      );
      await server.query(`CREATE DATABASE sorted LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8' TEMPLATE template0`);
      for (const [name, reported] of [
        ['latin', /the encoding LATIN1: create it with ENCODING 'UTF8'/],
        ['sorted', /sorts by C\.UTF-8, which changes with the system: create it with LC_COLLATE 'C'/],
      ] as const) {
        const driver = at(server.urlOf(name));
        const fault = (await driver.read.get('SELECT 1').catch(error => error)) as Error;
        await driver.close();
        assert.instance(fault, StoreMisfit, name);
        assert.match(fault.message, reported);
      }
    } finally {
      server.stop();
    }
  });

  check('who waits too long for a connection that others use is told, and the host stays', async ({ db }) => {
    // The second host does not exist: nothing may turn to it.
    const driver = openPostgres(
      postgresUrl('DATABASE_URL', db.address.replace('127.0.0.1', '127.0.0.1,127.0.0.2')),
      { pool: 1 },
    );
    try {
      const sleeping = driver.read.get('SELECT pg_sleep(7)');
      const began = performance.now();
      const fault = await driver.read.get('SELECT 1').catch(error => error);
      assert.instance(fault, StoreUnavailable);
      assert.ok(performance.now() - began < 6_500, 'once, not for each host');
      await sleeping;
      assert.ok(await driver.read.get('SELECT 1'));
    } finally {
      await driver.close();
    }
  });

  check('connections that the server ended are made anew, and nobody is told', async ({ one, two }) => {
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
    const held = Promise.withResolvers<void>();
    const thaw = Promise.withResolvers<void>();
    const frozen = one
      .write(ofGallery(LIVE), async sql => {
        await sql.get('SELECT 1');
        held.resolve();
        await thaw.promise;
      })
      .catch(error => error);
    await held.promise;
    const began = performance.now();
    const name = await store.renameUser(LIVE, 'usr_none', 'Name');
    const waited = performance.now() - began;
    assert.is(name, null);
    assert.ok(waited > 1_000 && waited < 4_000, `${waited} ms`);
    thaw.resolve();
    assert.instance(await frozen, StoreUnavailable, 'what it did is not done');
    await store.addChallenge({ id: 'ch', gallery: LIVE, expiresAt: NOW });
  });
}
