/** Writes of one scope that wait together share a transaction; what each says of itself stays its own. */
import * as assert from 'uvu/assert';
import type { Sql } from '../../src/adapters/sql/driver.ts';
import { ofGallery } from '../../src/adapters/sql/scope.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { LIVE, TEST } from '../contract/fixtures.ts';
import type { Suite } from '../support/suite.ts';
import { nodesOn } from './given.ts';

const WRITES = 200;

export function together(test: Suite): void {
  const check = nodesOn(test);

  check('writes that wait together need few commits, and each has its answer', async ({ db, one, two }) => {
    const commits = async () =>
      Number((await db.rows<{ n: number }>('SELECT pg_current_xact_id()::text::bigint AS n'))[0]?.n);
    const before = await commits();
    const count = (driver: typeof one) =>
      driver.write(ofGallery(LIVE), async sql => {
        const row = await sql.get<{ sequence: number }>(
          `UPDATE galleries SET sequence = sequence + 1 WHERE app_id = $1 AND mode = 'live' RETURNING sequence`,
          LIVE.appId,
        );
        return row?.sequence;
      });
    const answers = await Promise.all(Array.from({ length: WRITES }, (_, i) => count(i % 2 ? one : two)));
    assert.equal(
      answers.map(Number).sort((a, b) => a - b),
      Array.from({ length: WRITES }, (_, i) => i + 1),
    );
    const used = (await commits()) - before;
    assert.ok(used < WRITES / 4, `${used} transactions`);
  });

  check('one that throws is lost alone, and those beside it stand', async ({ db, one }) => {
    const put = (i: number) =>
      one.write(ofGallery(TEST), async sql => {
        await sql.run(
          `INSERT INTO jobs (name, last_run) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET last_run = jobs.last_run + 1`,
          `job ${i}`,
          0,
        );
        if (i % 6 === 0) throw new StoreUnavailable(new Error(`no ${i}`));
        if (i % 3 === 0) throw new Error(`no ${i}`);
        return i;
      });
    const ends = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => put(i)));
    assert.equal(
      ends.map(end => (end.status === 'fulfilled' ? end.value : (end.reason.cause ?? end.reason).message)),
      Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? `no ${i}` : i)),
    );
    const rows = await db.rows<{ last_run: number }>('SELECT last_run FROM jobs');
    assert.equal(
      rows.map(row => Number(row.last_run)),
      Array(8).fill(0),
      'each once',
    );
  });

  check('writes that commute travel together, and what is undone leaves no trace', async ({ db, one }) => {
    let beside = 0;
    let most = 0;
    const count = (i: number) =>
      one.write(
        ofGallery(TEST),
        async sql => {
          most = Math.max(most, ++beside);
          const count = () =>
            sql.get<{ last_run: number }>(
              `INSERT INTO jobs (name, last_run) VALUES ('all', 1)
               ON CONFLICT (name) DO UPDATE SET last_run = jobs.last_run + 1 RETURNING last_run`,
            );
          const isWanted = i % 5 > 0;
          const row = await sql.attempt(count, () => isWanted).finally(() => --beside);
          return isWanted ? row?.last_run : null;
        },
        true,
      );
    for (const numbers of [
      [1, 2, 3, 4],
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    ]) {
      await db.rows('DELETE FROM jobs');
      most = 0;
      const answers = await Promise.all(numbers.map(count));
      assert.is(most, numbers.length, 'at once');
      const kept = answers.filter(answer => answer !== null).map(Number);
      assert.equal(
        kept.sort((a, b) => a - b),
        kept.map((_, i) => i + 1),
      );
      assert.is(kept.length, numbers.filter(i => i % 5 > 0).length);
      const [row] = await db.rows<{ last_run: number }>('SELECT last_run FROM jobs');
      assert.is(Number(row?.last_run), kept.length);
    }
  });

  check('a write that does not commute has the transaction to itself meanwhile', async ({ one }) => {
    const running = new Set<number>();
    const besideOthers: number[] = [];
    const write = (i: number) => {
      const commutes = i % 3 > 0;
      const work = async (sql: Sql) => {
        running.add(i);
        for (let turn = 0; turn < 3; turn++) {
          if (!commutes && running.size > 1) besideOthers.push(i);
          await sql.get('SELECT 1');
        }
        running.delete(i);
      };
      return one.write(ofGallery(TEST), work, commutes);
    };
    await Promise.all(Array.from({ length: 9 }, (_, i) => write(i)));
    assert.equal(besideOthers, []);
  });

  check('of reads that share a connection, one that fails fails alone', async ({ one }) => {
    const ends = await Promise.allSettled(
      ['1', '1 / 0', '2'].map(what => one.read.get<{ n: number }>(`SELECT ${what} AS n`)),
    );
    assert.equal(
      ends.map(end => (end.status === 'fulfilled' ? end.value?.n : end.reason.code)),
      [1, '22012', 2],
    );
  });
}
