/** Work that one node does at a time, and another when that one is gone. */
import * as assert from 'uvu/assert';
import { takeLease } from '../../src/adapters/postgres/leases.ts';
import { openPostgresContext, rotatingOn } from '../../src/adapters/postgres/open-store.ts';
import { NOW } from '../../src/adapters/postgres/own-words.ts';
import type { StoreContext } from '../../src/adapters/sql/store/context.ts';
import { openedOn } from '../../src/adapters/sql/store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { locationAt } from '../contract/postgres-engine.ts';
import type { Suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { nodesOn } from './given.ts';

export function leases(test: Suite): void {
  const check = nodesOn(test);

  check('a lease has one owner, until it is released', async ({ one, two }) => {
    const takers = [one, two, one, two].map((driver, i) => takeLease(driver, 'job', `owner ${i}`));
    const taken = (await Promise.all(takers)).filter(lease => lease !== null);
    assert.is(taken.length, 1);
    assert.ok(await takeLease(two, 'another job', 'owner 2'), 'each piece of work has its own');
    await taken[0]?.release();
    assert.ok(await takeLease(two, 'job', 'owner 9'));
  });

  check(
    'work that one node does at a time is left to it, and done when it has ended',
    async ({ db, store }) => {
      const other = await db.open();
      const begun = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const working = store.alone('job', async lost => {
        begun.resolve();
        await end.promise;
        return lost.aborted;
      });
      await begun.promise;
      assert.is(await other.alone('job', async () => 'twice'), null);
      assert.is(await other.alone('another', async () => 'done'), 'done');
      end.resolve();
      assert.is(await working, false);
      assert.is(await other.alone('job', async () => 'next'), 'next');
      const fault = await store.alone('job', () => Promise.reject(new Error('failed'))).catch(error => error);
      assert.is(fault.message, 'failed');
      assert.is(await other.alone('job', async () => 'next'), 'next', 'released after a failure');
    },
  );

  check('without a renewal a lease ends within 30 seconds, by the clock of the database', async given => {
    await takeLease(given.one, 'job', 'one');
    const [row] = await given.db.rows<{ left: number }>(`SELECT until - ${NOW} AS left FROM leases`);
    assert.ok((row?.left ?? 99_999) <= 30_000, `${row?.left}`);
  });

  check('imports and rotations are work of one node at a time', async ({ db }) => {
    const location = locationAt(db.address, tempFolder());
    const [first, second] = [
      await openPostgresContext(location, systemRandom()),
      await openPostgresContext(location, systemRandom()),
    ];
    const importing = ({ lockImports }: StoreContext) => lockImports();
    const rotating = ({ driver }: StoreContext) =>
      rotatingOn(location, driver, driver === first.driver ? 'first' : 'second').lock();
    try {
      for (const lock of [importing, rotating]) {
        const release = await lock(first);
        assert.is(await lock(second), null);
        await release?.();
        await (await lock(second))?.();
      }
      const lost = { signal: AbortSignal.abort(), release: async () => undefined };
      const { store } = await openedOn({ ...first, takeLease: async () => lost });
      assert.is(await store.alone('job', async ({ aborted }) => aborted), true, 'who lost it sees the abort');
    } finally {
      await first.driver.close();
      await second.driver.close();
    }
  });

  check('it is renewed while its owner lives, and ends with it', async ({ one, two }) => {
    const lease = await takeLease(one, 'job', 'one', 300);
    await new Promise(done => setTimeout(done, 700));
    assert.is(await takeLease(two, 'job', 'two', 300), null, 'renewed');
    // The owner is gone: nothing is renewed or released.
    await one.close();
    const began = performance.now();
    while (!(await takeLease(two, 'job', 'two', 300))) {
      assert.ok(performance.now() - began < 5_000);
      await new Promise(done => setTimeout(done, 20));
    }
    await new Promise(done => setTimeout(done, 400));
    assert.is(lease?.signal.aborted, true, 'who lost it sees the abort');
  });
}
