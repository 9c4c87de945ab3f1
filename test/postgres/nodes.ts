/** Who works on a database: each node reports itself, with its clock and how far it is behind. */
import * as assert from 'uvu/assert';
import { createNodes } from '../../src/adapters/postgres/nodes.ts';
import type { Driver } from '../../src/adapters/sql/driver.ts';
import type { Suite } from '../support/suite.ts';
import { nodesOn } from './given.ts';

const at = (name: string, lagMs: number | null = 0) => ({
  ...{ name, version: '1.2.3', lagMs },
  settings: { MATCH_MARGIN: '0.04' },
});

export function nodes(test: Suite): void {
  const check = nodesOn(test);

  check(
    'nodes of one name are listed separately, the clock of each is compared, and who leaves is gone',
    async given => {
      const [first, second] = [createNodes(given.one, 'id-1'), createNodes(given.two, 'id-2')];
      assert.equal(await first.seen(), []);
      await first.report(at('node', null), Date.now);
      const ahead = await second.report(at('node', 700), () => Date.now() + 5_000);
      assert.ok(Math.abs(ahead - 5_000) < 200, `${ahead}`);
      const wrong = await second.clockOffset(() => Date.now() - 960_000);
      assert.ok(Math.abs(wrong + 960_000) < 200, `${wrong}`);
      const seen = await first.seen();
      assert.equal(
        seen.map(({ name, version, lagMs }) => [name, version, lagMs === null]),
        [
          ['node', '1.2.3', true],
          ['node', '1.2.3', false],
        ],
      );
      const [own, other] = seen;
      assert.ok(Math.abs(own?.clockOffsetMs ?? 9_999) < 200, `${own?.clockOffsetMs}`);
      assert.ok(Math.abs((other?.clockOffsetMs ?? 0) - 5_000) < 200, `${other?.clockOffsetMs}`);
      assert.ok((other?.lagMs ?? 0) >= 700, 'and grows until it reports again');
      // A late answer is no wrong clock.
      const late: Driver = {
        ...given.two,
        read: {
          ...given.two.read,
          get: async (text, ...values) => {
            const row = await given.two.read.get(text, ...values);
            await new Promise(done => setTimeout(done, 900));
            return row as never;
          },
        },
      };
      await createNodes(late, 'id-2').report(at('node', 5), Date.now);
      assert.is((await first.seen())[1]?.clockOffsetMs, 0);
      await second.report(at('node', 5), Date.now);
      const [, again] = await second.seen();
      assert.ok((again?.lagMs ?? 9_999) < 700);
      assert.is(again?.startedAt, other?.startedAt);
      await first.leave();
      assert.is((await second.seen()).length, 1);
    },
  );

  check('a node that has not reported for a minute is not listed, and forgotten after a day', async given => {
    const [first, second] = [createNodes(given.one, 'id-1'), createNodes(given.two, 'id-2')];
    await first.report(at('gone'), Date.now);
    const age = (ms: number) =>
      given.one.read.run(`UPDATE nodes SET seen_at = seen_at - $1 WHERE id = 'id-1'`, ms);
    await age(60_001);
    await second.report(at('here'), Date.now);
    assert.equal(
      (await second.seen()).map(({ name }) => name),
      ['here'],
    );
    const rows = () => given.db.rows('SELECT id FROM nodes ORDER BY id');
    assert.is((await rows()).length, 2);
    await age(24 * 3_600_000);
    await second.report(at('here'), Date.now);
    assert.equal(await rows(), [{ id: 'id-2' }]);
  });

  check('each tells its settings as they are now; one of the version before tells none', async given => {
    const [first, second] = [createNodes(given.one, 'id-1'), createNodes(given.two, 'id-2')];
    await first.report(at('a'), Date.now);
    await first.report({ ...at('a'), settings: { MATCH_MARGIN: '0.05' } }, Date.now);
    await second.report(at('b'), Date.now);
    await given.one.read.run(`INSERT INTO nodes (id, name, version, started_at, seen_at, lag, clock_offset)
      SELECT 'id-3', 'c', version, started_at, seen_at, lag, clock_offset FROM nodes WHERE id = 'id-2'`);
    assert.equal(
      (await second.seen()).map(({ settings }) => settings),
      [{ MATCH_MARGIN: '0.05' }, { MATCH_MARGIN: '0.04' }, null],
    );
  });
}
