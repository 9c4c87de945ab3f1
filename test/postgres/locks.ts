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
import { count } from '../contract/engine.ts';
import { enrolled, FIRST, LIVE, NOW, OTHER, SECOND, signOut, TEST } from '../contract/fixtures.ts';
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

  check('who tells holds the counter until the commit: no later number is there before', async given => {
    const { db, store, one } = given;
    const { user } = await enrolled(store);
    const [told, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = one.write(ROWS, async sql => {
      await sql.run(
        `UPDATE outbox_heads SET seq = seq + 1 WHERE app_id = $1 AND mode = $2`,
        LIVE.appId,
        LIVE.mode,
      );
      told.resolve();
      await commit.promise;
    });
    await told.promise;
    const later = signOut(store, 'jti_1', NOW + 9_000, user.id);
    while ((await db.rows(WAITING)).length === 0) await delay(5);
    assert.equal(await store.outboxState(LIVE), { newest: 1, oldest: 1 });
    commit.resolve();
    await Promise.all([first, later]);
    const events = await store.outboxEvents(LIVE, 0, 9);
    assert.equal(
      events.map(({ seq }) => seq),
      [1, 3],
    );
  });

  check('old events are deleted beside an erasure, without waiting for it', async ({ db, store, one }) => {
    const [gone] = [await enrolled(store), await enrolled(store), await enrolled(store)];
    const [erased, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const erasure = one.write(ROWS, async sql => {
      await sql.run('DELETE FROM outbox WHERE user_id = $1', gone.user.id);
      erased.resolve();
      await commit.promise;
    });
    await erased.promise;
    assert.is(await store.prune('outbox', NOW + 1, 10), 2);
    commit.resolve();
    await erasure;
    assert.is(await count(db, 'outbox'), 0);
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
