/** Tier 1, reading users in order and the counts of a month. */
import * as assert from 'uvu/assert';
import type { Suite } from '../support/suite.ts';
import { contractOn, type Engine } from './engine.ts';
import { deleteUser, enrolled, LIVE, NOW, OTHER, TEST } from './fixtures.ts';

export function users(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('users by creation time, then id, of one gallery, from a position on', async ({ store }) => {
    const order = [
      ['usr_b', NOW],
      ['usr_c', NOW],
      ['usr_a', NOW + 1],
    ] as const;
    for (const [id, at] of [...order].reverse()) await enrolled(store, { id, at });
    for (const gallery of [TEST, OTHER]) await enrolled(store, { gallery, at: NOW });
    const ids = async (after: { id: string; createdAt: number } | null, limit: number) =>
      (await store.listUsers(LIVE, after, limit)).map(({ user }) => user.id);
    assert.equal(await ids(null, 10), ['usr_b', 'usr_c', 'usr_a']);
    assert.equal(await ids(null, 2), ['usr_b', 'usr_c']);
    assert.equal(await ids({ id: 'usr_b', createdAt: NOW }, 10), ['usr_c', 'usr_a']);
    assert.equal(
      await ids({ id: 'usr_bb', createdAt: NOW }, 10),
      ['usr_c', 'usr_a'],
      'a position without a user',
    );
    assert.equal(await ids({ id: 'usr_a', createdAt: NOW + 1 }, 10), []);
    const [first] = await store.listUsers(LIVE, null, 1);
    const user = await store.findUser(LIVE, { id: 'usr_b' });
    assert.equal(first, { gallery: LIVE, user, templateCount: 2 });
  });

  check('users of a gallery are counted, by app and mode', async ({ store }) => {
    assert.is(await store.countUsers(LIVE), 0);
    for (const id of ['usr_a', 'usr_b']) await enrolled(store, { id });
    for (const gallery of [TEST, OTHER]) await enrolled(store, { gallery });
    assert.equal(await Promise.all([LIVE, TEST, OTHER].map(gallery => store.countUsers(gallery))), [2, 1, 1]);
    await deleteUser(store, LIVE, 'usr_a', NOW);
    assert.is(await store.countUsers(LIVE), 1);
  });

  check('the counts of a month, zeros when there are none', async ({ store }) => {
    const { auth } = await enrolled(store);
    const zero = { auths: 0, enrolls: 0, matchesOk: 0, matchesFailed: 0 };
    assert.equal(await store.usageOf(LIVE, auth.month), { ...zero, auths: 1, enrolls: 1 });
    assert.equal(await store.usageOf(LIVE, '1999-12'), zero);
    assert.equal(await store.usageOf(TEST, auth.month), zero);
  });
}
