/** Small tables are rewritten once a day: what was deleted is in no file of the database any more. */
import * as assert from 'uvu/assert';
import { takeLease } from '../../src/adapters/postgres/leases.ts';
import { NOW as CLOCK } from '../../src/adapters/postgres/own-words.ts';
import { TABLES } from '../../src/adapters/postgres/vacuum.ts';
import { ROWS } from '../../src/adapters/sql/scope.ts';
import { deleteUser, enrolled, LIVE, NOW } from '../contract/fixtures.ts';
import type { Suite } from '../support/suite.ts';
import { driverAt, nodesOn, type TwoNodes } from './given.ts';

const DAY = 86_400_000;

/** A rewritten table has another file. */
async function filesOf({ db }: TwoNodes): Promise<Record<string, number>> {
  const rows = await db.rows<{ name: string; file: number }>(
    `SELECT relname AS name, CAST(pg_relation_filenode(oid) AS BIGINT) AS file FROM pg_class
     WHERE relname IN (${TABLES.map(name => `'${name}'`).join()})`,
  );
  return Object.fromEntries(rows.map(({ name, file }) => [name, file]));
}

async function rewrittenBy(given: TwoNodes, act: () => Promise<unknown>): Promise<string[]> {
  const before = await filesOf(given);
  await act();
  const after = await filesOf(given);
  return TABLES.filter(name => before[name] !== after[name]);
}

const ALL = [...TABLES];

export function rewrites(test: Suite): void {
  const check = nodesOn(test);

  check('the bytes of a deleted user are gone from the files, and others stay', async given => {
    const { db, store, one } = given;
    const [ana, ben] = [await enrolled(store), await enrolled(store)];
    const sealedOf = async (id: string) =>
      (
        await one.read.all<{ sealed: Buffer }>(
          `SELECT sealed FROM users WHERE id = $1 UNION ALL SELECT sealed FROM consents WHERE user_id = $1
           UNION ALL SELECT sealed FROM templates WHERE user_id = $1`,
          id,
        )
      ).map(({ sealed }) => sealed);
    const [gone, kept] = [await sealedOf(ana.user.id), await sealedOf(ben.user.id)];
    assert.is(gone.length, 4);
    await deleteUser(store, LIVE, ana.user.id, NOW);
    await store.settleErasures();
    const bytes = await db.bytes();
    for (const one of gone) assert.is(bytes.indexOf(one), -1);
    for (const one of kept) assert.ok(bytes.includes(one));
    assert.not.ok(bytes.includes(ana.user.id));
  });

  check('what a node owed that is gone is vacuumed by another one, once', async ({ db, store, one, two }) => {
    const runs = async () =>
      Number(
        (
          await db.rows<{ n: number }>(
            `SELECT SUM(vacuum_count) AS n FROM pg_stat_user_tables WHERE relname IN ('users', 'templates')`,
          )
        )[0]?.n,
      );
    const { user } = await enrolled(store);
    await deleteUser(store, LIVE, user.id, NOW);
    const before = await runs();
    await two.scrub(true);
    assert.is((await runs()) - before, 2);
    // The erasure is long before the last vacuum.
    await db.rows(
      `UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 600000 AS TEXT) WHERE name = 'vacuum_began'`,
    );
    await one.scrub(true);
    assert.is((await runs()) - before, 2);
  });

  check(
    'a vacuum beside a dump is no last one, and one node vacuums at a time',
    async ({ db, store, one, two }) => {
      const removed = async () =>
        Number(
          (await db.rows<{ value: string }>(`SELECT value FROM meta WHERE name = 'vacuum_began'`))[0]?.value,
        );
      const at = async () => Number((await db.rows<{ at: number }>(`SELECT ${CLOCK} AS at`))[0]?.at);
      const { user } = await enrolled(store);
      const began = await one.snapshot(async sql => {
        await sql.get('SELECT 1');
        const begun = await at();
        await deleteUser(store, LIVE, user.id, NOW);
        const lease = await takeLease(one, 'vacuum', 'another node');
        await two.scrub();
        await two.scrub(true);
        assert.ok(Number.isNaN(await removed()), 'another node does it');
        await lease?.release();
        const third = driverAt(db.address);
        await third.scrub(true).finally(() => third.close());
        return begun;
      }, true);
      assert.ok((await removed()) <= began, 'what was deleted since is owed');
      const fourth = driverAt(db.address);
      await fourth.scrub(true).finally(() => fourth.close());
      assert.ok((await removed()) > began);
    },
  );

  check(
    'after an erasure deleted rows are vacuumed, and without one nothing is',
    async ({ db, one, two }) => {
      const vacuumed = async () => {
        const rows = await db.rows<{ name: string; times: number }>(
          'SELECT relname AS name, vacuum_count AS times FROM pg_stat_user_tables WHERE vacuum_count > 0',
        );
        return rows.map(({ name }) => name).sort();
      };
      await one.scrub(true);
      assert.equal(await vacuumed(), []);
      await two.scrub();
      await two.scrub(true);
      assert.equal(await vacuumed(), [...TABLES].sort());
    },
  );

  check('two nodes do it once, and again the next day', async given => {
    const { db, one, two } = given;
    const both = () => Promise.all([one, two, one].map(driver => driver.scrub(true)));
    assert.equal(await rewrittenBy(given, both), ALL);
    const again = async () => (await db.open()).settleErasures();
    assert.equal(await rewrittenBy(given, again), []);
    await two.write(ROWS, sql =>
      sql.run(
        `UPDATE meta SET value = CAST(CAST(value AS BIGINT) - $1 AS TEXT) WHERE name = 'rewritten_users'`,
        DAY,
      ),
    );
    assert.equal(await rewrittenBy(given, again), ['users']);
  });

  check('a table in use is left for the next time, and a large one always', async given => {
    const { db, one, two, store } = given;
    await enrolled(store);
    // A row has a page of its own, so few are enough.
    await db.rows('ALTER TABLE windows SET (fillfactor = 10)');
    await db.rows(
      `INSERT INTO windows (key, app_id, count, ends_at)
       SELECT string_agg(md5(CAST(n AS TEXT)), ''), 'app', 1, 1 FROM generate_series(1, 170000) AS n GROUP BY n / 20`,
    );
    const whileUsed = () =>
      two.snapshot(async sql => {
        await sql.all('SELECT id FROM users');
        await one.scrub(true);
      }, true);
    assert.equal(
      await rewrittenBy(given, whileUsed),
      ALL.filter(name => name !== 'windows' && name !== 'users'),
    );
    assert.equal(await rewrittenBy(given, () => two.scrub(true)), ['users']);
  });
}
