/** A commit whose answer is lost: reported as unavailable, and never repeated. */
import * as assert from 'uvu/assert';
import { ofGallery, ROWS, type Scope } from '../../src/adapters/sql/scope.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { LIVE } from '../contract/fixtures.ts';
import { startDetour } from '../support/detour.ts';
import type { Suite } from '../support/suite.ts';
import { driverAt, nodesOn } from './given.ts';

export function lostAnswers(test: Suite): void {
  const check = nodesOn(test);

  check('writes whose commit is answered with nonsense are not repeated', async ({ db, one }) => {
    await one.write(ROWS, sql => sql.run('CREATE TABLE counted (name TEXT)'));
    const line = await startDetour(Number(new URL(db.address).port));
    const driver = driverAt(line.through(db.address));
    const add = (name: string, scope: Scope) =>
      driver.writeOne(scope, "INSERT INTO counted (name) VALUES ($1) RETURNING 'COMMIT'", name).then(
        () => 'acknowledged',
        error => error,
      );
    try {
      assert.is(await add('first', ofGallery(LIVE)), 'acknowledged');
      line.set('garbled');
      const outcomes = await Promise.all([
        ...['a', 'b', 'c'].map(name => add(name, ofGallery(LIVE))),
        add('alone', ROWS),
      ]);
      for (const outcome of outcomes)
        assert.ok(outcome instanceof StoreUnavailable, `${outcome?.stack ?? outcome}`);
      line.set('open');
      assert.is(await add('last', ofGallery(LIVE)), 'acknowledged');
      const rows = await one.read.all<{ name: string; n: number }>(
        'SELECT name, COUNT(*) AS n FROM counted GROUP BY name',
      );
      assert.equal([...new Set(rows.map(({ n }) => Number(n)))], [1]);
    } finally {
      await driver.close();
      line.close();
    }
  });
}
