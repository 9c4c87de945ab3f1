/** What the locks are for: writes with overlapping scopes wait for each other, others do not. */
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import {
  OPERATORS,
  ofApp,
  ofGalleries,
  ofGallery,
  ofUser,
  ROWS,
  SCHEMA,
  type Scope,
  SERVICE,
} from '../../src/adapters/sql/scope.ts';
import { enrolled, FIRST, LIVE, OTHER, SECOND, TEST } from '../contract/fixtures.ts';
import type { Suite } from '../support/suite.ts';
import { holding, nodesOn, WAITING } from './given.ts';

export function locks(test: Suite): void {
  const check = nodesOn(test);

  check('an app that somebody changes does not stop the challenges of others', async ({ store, one }) => {
    const release = await holding(one, ofApp(FIRST));
    const ended: string[] = [];
    const add = (id: string, gallery: typeof LIVE) =>
      store.addChallenge({ id, gallery, expiresAt: 9e15 }).then(isAdded => {
        if (isAdded) ended.push(id);
      });
    const waiting = add('ch_first', LIVE);
    await Promise.all([add('ch_second', OTHER), add('ch_third', OTHER)]);
    assert.equal(ended.sort(), ['ch_second', 'ch_third']);
    await Promise.all([release(), waiting]);
    assert.ok(ended.includes('ch_first'));
  });

  check('nodes that note the uses of the same keys do not wait for each other', async ({ db, store }) => {
    const other = await db.open();
    const ids = Array.from({ length: 200 }, (_, n) => `key_${n}`);
    await db.rows(
      `INSERT INTO api_keys (id, app_id, type, mode, hash, mac, last4, created_at)
       SELECT 'key_' || n, '${FIRST}', 'secret', 'live', 'hash' || n, 'mac', 'last', 0 FROM generate_series(0, 199) AS n`,
    );
    const uses = (order: readonly string[], at: number) => new Map(order.map(id => [id, at]));
    const deadlocks = async () =>
      Number(
        (
          await db.rows<{ n: number }>(
            'SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()',
          )
        )[0]?.n,
      );
    for (let at = 1; at <= 5; at++)
      await Promise.all([store.noteKeyUses(uses(ids, at)), other.noteKeyUses(uses(ids.toReversed(), at))]);
    assert.is(await deadlocks(), 0);
  });

  check('overlapping scopes wait for each other, others do not', async ({ db, store, one, two }) => {
    const { user } = await enrolled(store);
    const USER = ofUser(LIVE, user.id);
    const waits = async (held: Scope, asked: Scope): Promise<boolean> => {
      const release = await holding(one, held);
      let isThrough = false;
      const second = two.write(asked, async sql => {
        await sql.get('SELECT 1');
        isThrough = true;
      });
      while (!isThrough && (await db.rows(WAITING)).length === 0) await delay(5);
      const waited = !isThrough;
      await Promise.all([release(), second]);
      return waited;
    };
    for (const [held, asked, expected] of [
      [SERVICE, SERVICE, true],
      [SERVICE, ofApp(FIRST), true],
      [SERVICE, OPERATORS, true],
      [SERVICE, ofGallery(LIVE), false],
      [SCHEMA, SCHEMA, true],
      [OPERATORS, OPERATORS, true],
      [OPERATORS, ofApp(FIRST), false],
      [ofApp(FIRST), ofApp(FIRST), true],
      [ofApp(FIRST), ofApp(SECOND), false],
      [ofApp(FIRST), ofGallery(LIVE), true],
      [ofApp(FIRST), USER, true],
      [ofGallery(LIVE), ofApp(FIRST), true],
      [ofGallery(LIVE), ofGallery(LIVE), true],
      [ofGallery(LIVE), ofGallery(TEST), false],
      [ofGallery(LIVE), ofGallery(OTHER), false],
      [ofGallery(LIVE), ofGalleries([OTHER, LIVE]), true],
      [ofGallery(LIVE), USER, true],
      [USER, ofGallery(LIVE), true],
      [USER, USER, true],
      [USER, ofUser(LIVE, 'usr_other'), false],
      [ofApp(FIRST), ROWS, false],
    ] as const)
      assert.is(await waits(held, asked), expected, `${JSON.stringify(held)} then ${JSON.stringify(asked)}`);
  });
}
