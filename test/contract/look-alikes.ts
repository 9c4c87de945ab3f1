/** Tier 2: pairs of users whom a face could not tell apart. */
import * as assert from 'uvu/assert';
import type { Suite } from '../support/suite.ts';
import { contractOn, count, type Engine } from './engine.ts';
import { deleteUser, enrolled, FIRST, LIVE, NOW } from './fixtures.ts';

export function lookAlikes(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check(
    'pairs are counted whichever is nearer, name both and the younger one, and go with either user',
    async ({ db, store }) => {
      const old = await enrolled(store, { id: 'usr_old', at: NOW });
      const young = await enrolled(store, { id: 'usr_young', at: NOW + 5 });
      const other = await enrolled(store, { id: 'usr_other', at: NOW + 9 });
      const pair = (a: { number: number }, b: { number: number }, at = NOW + 10) =>
        store.countLookAlikes(LIVE, [a.number, b.number], at);
      await pair(old, young);
      await pair(young, old, NOW + 20);
      await pair(young, other);
      await pair(old, old);
      await store.countLookAlikes(LIVE, [old.number, 9_999], NOW);
      const twice = { gallery: LIVE, younger: 'usr_young', older: 'usr_old', count: 2 };
      const once = { gallery: LIVE, younger: 'usr_other', older: 'usr_young', count: 1 };
      assert.equal(await store.lookAlikes(NOW, 1, 9), [twice, once]);
      assert.equal(await store.lookAlikes(NOW, 2, 9), [twice]);
      assert.equal(await store.lookAlikes(NOW + 20, 1, 9), [twice]);
      assert.equal(await store.lookAlikes(NOW + 21, 1, 9), []);
      await deleteUser(store, LIVE, 'usr_old', NOW);
      assert.is(await count(db, 'look_alikes'), 1);
      await deleteUser(store, LIVE, 'usr_other', NOW);
      assert.is(await count(db, 'look_alikes'), 0);
    },
  );

  check('a gallery keeps its latest hundred pairs, and loses them with its app', async ({ db, store }) => {
    const people = [];
    for (let n = 0; n < 16; n++) people.push(await enrolled(store, { id: `usr_${n}`, at: NOW + n }));
    let at = NOW;
    for (const [n, one] of people.entries())
      for (const two of people.slice(n + 1))
        await store.countLookAlikes(LIVE, [one.number, two.number], at++);
    assert.is(await count(db, 'look_alikes'), 100);
    assert.is(await count(db, 'look_alikes', `last_at < ${at - 100}`), 0);
    await store.deleteApp(FIRST, NOW);
    assert.is(await count(db, 'look_alikes'), 0);
  });
}
