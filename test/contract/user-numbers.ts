/**
 * Tier 1, the numbers by which a matcher knows users: the sequence at which the enrolment begins. A number that came to
 * somebody else would sign one person in as another, and a user with two numbers would stand in their own way.
 */
import * as assert from 'uvu/assert';
import { rekey } from '../../src/domain/rekeying.ts';
import type { GalleryTemplate } from '../../src/ports/matcher.ts';
import type { Store } from '../../src/ports/store.ts';
import { templatesOf } from '../../src/ports/template-rows.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, type Engine } from './engine.ts';
import { deleteUser, enrolled, FIRST, GALLERIES, LIVE, NOW, OTHER, TEST, vector } from './fixtures.ts';

let soFar = 0;

async function own(store: Store, userId: string, howMany: number, most: number | null = 10) {
  const origin = { ip: '192.0.2.1', userAgent: '', liveness: undefined };
  const templates = Array.from({ length: howMany }, () => ({ id: `own_${++soFar}`, vector: vector(soFar) }));
  const { sequence } = await store.galleryState(LIVE);
  return { gallery: LIVE, userId, at: NOW, templates, encoder: null, origin, sequence, most };
}

const numbersOf = (templates: readonly GalleryTemplate[]) =>
  templates.map(({ sequence, user }) => [sequence, user]);

export function userNumbers(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('every template has the number of its user, in pages of any size', async ({ store }) => {
    const [one, two] = [await enrolled(store), await enrolled(store)];
    for (const [{ user }, howMany] of [
      [two, 2],
      [one, 1],
      [two, 1],
    ] as const)
      assert.is((await store.addTemplates(await own(store, user.id, howMany))).outcome, 'stored');
    const wanted = [1, 1, 3, 3, 3, 3, 1, 3].map((user, i) => [i + 1, user]);
    for (const limit of [1, 2, 3, 5, 100]) {
      const found: GalleryTemplate[] = [];
      for (let at = 0; at < 8; ) {
        const { to, added } = await store.galleryChanges(LIVE, at, limit);
        found.push(...templatesOf(added));
        at = to;
      }
      assert.equal(numbersOf(found), wanted, `pages of ${limit}`);
    }
    for (const since of [0, 1, 3, 6]) {
      const found: GalleryTemplate[] = [];
      for await (const { added } of (await store.loadGallery(LIVE, since)).pages)
        found.push(...templatesOf(added));
      assert.equal(numbersOf(found), wanted.slice(since), `a load since ${since}`);
    }
    assert.equal(numbersOf(await store.enrolledTemplates(LIVE, two.user.id)), wanted.slice(2, 4));
  });

  check('users are found by their numbers, in their own gallery alone', async ({ store }) => {
    const all = [await enrolled(store), await enrolled(store)];
    const elsewhere = await enrolled(store, { gallery: OTHER });
    for (const { user, number } of all)
      for (const sequence of [number, number + 1])
        assert.equal(
          await store.findUser(LIVE, { number: sequence }),
          await store.findUser(LIVE, { id: user.id }),
        );
    assert.is((await store.findUser(OTHER, { number: 1 }))?.id, elsewhere.user.id);
    for (const gallery of GALLERIES.slice(1)) assert.is(await store.findUser(gallery, { number: 3 }), null);
    for (const number of [0, -1, 1.5, 5, 2 ** 53]) assert.is(await store.findUser(LIVE, { number }), null);
  });

  check('the number of a user who is deleted is never given again', async ({ db, store }) => {
    const { user, number } = await enrolled(store);
    await deleteUser(store, LIVE, user.id, NOW);
    assert.is(await store.findUser(LIVE, { number }), null);
    await store.close();
    const again = await db.open();
    assert.is((await enrolled(again, { id: user.id, email: user.email })).number, 5, 'nobody was left');
    assert.is(await again.findUser(LIVE, { number }), null);
  });

  check('a user whose templates were erased has another number with the next ones', async ({ store }) => {
    const { user, number } = await enrolled(store);
    await rekey({ store }, FIRST);
    assert.is((await store.findUser(LIVE, { number }))?.id, user.id);
    await store.resetEncoder(LIVE, null, { at: NOW });
    assert.is(await store.findUser(LIVE, { number }), null);
    assert.is((await store.addTemplates(await own(store, user.id, 2, null))).outcome, 'stored');
    assert.is((await store.addTemplates(await own(store, user.id, 1))).outcome, 'stored');
    const { added } = await store.galleryChanges(LIVE, 0, 10);
    assert.equal([...added.users], [5, 5, 5]);
    assert.is((await store.findUser(LIVE, { number: 5 }))?.id, user.id);
  });

  check('users of a gallery are counted, by app and mode', async ({ store }) => {
    assert.is(await store.countUsers(LIVE), 0);
    for (const id of ['usr_a', 'usr_b']) await enrolled(store, { id });
    for (const gallery of [TEST, OTHER]) await enrolled(store, { gallery });
    assert.equal(await Promise.all([LIVE, TEST, OTHER].map(gallery => store.countUsers(gallery))), [2, 1, 1]);
    await deleteUser(store, LIVE, 'usr_a', NOW);
    assert.is(await store.countUsers(LIVE), 1);
  });
}
