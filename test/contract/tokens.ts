/** Tier 1, signing keys and revoked tokens. */
import * as assert from 'uvu/assert';
import type { Store } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, type Engine, everything, nextTurn } from './engine.ts';
import { NOW, signingKey } from './fixtures.ts';

const DAY = 86_400_000;
const NOTICE = 600_000;

export function tokens(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);
  const wiped = contractOn(test, engine, { needs: 'erasedBytes' });
  const kids = async (store: Store, now: number) => (await store.signingKeys(now)).map(({ kid }) => kid);
  const rotate = (store: Store, kid: string, now: number, revokeOld = false, signsAt = now + NOTICE) =>
    store.addSigningKey(signingKey(kid, signsAt), { now, keep: DAY, revokeOld });

  check(
    'the first key is stored where none is; its private half opens, and is not in the rows',
    async ({ db, store }) => {
      assert.equal(await store.signingKeys(NOW), []);
      const { privateJwk, ...key } = signingKey('first');
      assert.is(await store.addSigningKey(signingKey('first'), null), true);
      assert.is(await store.addSigningKey(signingKey('second'), null), false);
      assert.equal(await store.signingKeys(NOW), [{ ...key, leavesAt: null }]);
      assert.equal(await store.openSigningKey('first'), privateJwk);
      assert.is(await store.openSigningKey('second'), null);
      assert.not((await db.bytes()).includes('private half of first'), 'sealed');
    },
  );

  check('a rotation, moment by moment: never more than two keys', async ({ store }) => {
    await store.addSigningKey(signingKey('one'), null);
    const begun = NOW + 5 * DAY;
    const left = begun + NOTICE + DAY;
    assert.is(await rotate(store, 'two', begun), true);
    assert.equal(
      (await store.signingKeys(begun)).map(key => [key.kid, key.signsAt, key.leavesAt]),
      [
        ['one', NOW, left],
        ['two', begun + NOTICE, null],
      ],
    );
    for (const now of [begun, begun + NOTICE, left - 1]) {
      assert.equal(await kids(store, now), ['one', 'two'], `at ${now - begun}`);
      assert.is(await rotate(store, 'three', now), false);
      assert.is(await rotate(store, 'three', now, false, now), false, 'at once is too soon as well');
    }
    assert.equal(await kids(store, left), ['two']);
    assert.is(await rotate(store, 'three', left), true);
    assert.equal(await kids(store, left), ['two', 'three']);
    assert.is(await store.openSigningKey('one'), null, 'keys that left are forgotten');
  });

  check('after a theft every older key leaves at once, whatever their number', async ({ store }) => {
    await store.addSigningKey(signingKey('one'), null);
    await rotate(store, 'two', NOW);
    assert.is(await rotate(store, 'three', NOW + 1, true, NOW + 1), true);
    assert.equal(await kids(store, NOW + 1), ['three']);
    assert.equal(await kids(store, NOW), ['three']);
    for (const kid of ['one', 'two']) assert.is(await store.openSigningKey(kid), null);
    assert.is(await rotate(store, 'four', NOW + 2), true, 'the set has room again');
  });

  wiped('the sealed halves of stolen keys are gone from the disk', async ({ db, store }) => {
    await store.addSigningKey(signingKey('one'), null);
    const [row] = await db.rows<{ sealed: Uint8Array }>('SELECT sealed FROM signing_keys');
    const marker = Buffer.from(row?.sealed ?? '').subarray(29, 61);
    assert.ok((await db.bytes()).includes(marker), 'found before');
    await rotate(store, 'two', NOW, true, NOW);
    assert.not((await db.bytes()).includes(marker));
  });

  check('a refused rotation changes nothing', async ({ db, store }) => {
    await store.addSigningKey(signingKey('one'), null);
    await rotate(store, 'two', NOW);
    const before = await everything(db);
    await rotate(store, 'three', NOW + 1);
    assert.equal(await everything(db), before);
  });

  check('a rotation by another handle counts with the next call', async ({ db, store }) => {
    const other = await db.open();
    await store.addSigningKey(signingKey('one'), null);
    assert.equal(await kids(store, NOW), ['one']);
    await rotate(other, 'two', NOW);
    await nextTurn();
    assert.equal(await kids(store, NOW), ['one', 'two']);
    await rotate(other, 'three', NOW, true, NOW);
    await nextTurn();
    assert.equal(await kids(store, NOW), ['three']);
  });
}
