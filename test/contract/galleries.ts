/**
 * Tier 1, the gallery sequence and its changes. A matcher is nothing but these pages applied in order, so whatever
 * happens between two of them, the end of the road must be the gallery as stored.
 */
import * as assert from 'uvu/assert';
import type { GalleryChanges } from '../../src/ports/matcher.ts';
import type { Enrolment, Store } from '../../src/ports/store.ts';
import { packTemplates, templatesOf } from '../../src/ports/template-rows.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, type Engine, nextTurn, type TestDatabase } from './engine.ts';
import {
  deleteUser,
  enrolled,
  enrolment,
  GALLERIES,
  LIVE,
  NOW,
  OTHER,
  SECOND,
  TEST,
  vector,
} from './fixtures.ts';

/** A matcher without faces: templates in order, strict about the sequence. */
class Mirror {
  sequence = 0;
  templates: number[] = [];

  apply({ from, to, removed, added }: GalleryChanges): void {
    assert.is(from, this.sequence);
    assert.ok(to >= from);
    const fresh = [...added.sequences];
    this.templates = [...this.templates.filter(one => !removed.includes(one)), ...fresh];
    assert.is(new Set(this.templates).size, this.templates.length, 'no template comes twice');
    this.sequence = to;
  }

  /** @param between runs after every page */
  async follow(store: Store, limit: number, between: () => unknown = () => undefined): Promise<void> {
    while (this.sequence < (await store.galleryState(LIVE)).sequence) {
      const page = await store.galleryChanges(LIVE, this.sequence, limit);
      assert.ok(page.added.count <= limit);
      this.apply(page);
      await between();
      await nextTurn();
    }
  }
}

async function stored(db: TestDatabase): Promise<number[]> {
  const rows = await db.rows<{ sequence: number }>(
    `SELECT sequence FROM templates WHERE app_id = '${LIVE.appId}' AND mode = 'live' ORDER BY sequence`,
  );
  return rows.map(({ sequence }) => sequence);
}

export function galleries(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check('a gallery that never had templates is at 0, and has no changes', async ({ store }) => {
    for (const gallery of GALLERIES) {
      assert.is((await store.galleryState(gallery)).sequence, 0);
      assert.equal(await store.galleryChanges(gallery, 0, 10), {
        from: 0,
        to: 0,
        removed: [],
        added: packTemplates([]),
        unreadable: [],
        isBroken: false,
      });
    }
  });

  check(
    'each template moves the sequence of its own gallery by one, and so does each removal',
    async ({ store }) => {
      const { user } = await enrolled(store);
      await enrolled(store);
      const all = () =>
        Promise.all(GALLERIES.map(async gallery => (await store.galleryState(gallery)).sequence));
      assert.equal(await all(), [4, 0, 0, 0]);
      await enrolled(store, { gallery: OTHER });
      await deleteUser(store, LIVE, user.id, NOW);
      assert.equal(await all(), [6, 0, 2, 0]);
    },
  );

  check('templates come back bit for bit, in the order of storing, with their users', async ({ store }) => {
    const odd = vector(9);
    odd.set([-0, 1e-45, -1e-40, 1.17549435e-38, 1, -1, 0.1]);
    // A view that begins at an odd place of its buffer.
    const shifted = new Float32Array(vector(10).buffer.slice(0), 0, 128);
    const part = new Float32Array(200);
    part.set(vector(11), 37);
    const vectors = [odd, shifted, part.subarray(37, 165)];
    const templates = vectors.map((v, i) => ({ id: `tpl_odd_${2 - i}`, vector: v }));
    await enrolled(store);
    const { number } = await enrolled(store, { templates });
    const changes = await store.galleryChanges(LIVE, 2, 10);
    assert.equal([changes.from, changes.to, changes.removed], [2, 5, []]);
    assert.equal(
      templatesOf(changes.added).map(({ sequence, user }) => [sequence, user]),
      [3, 4, 5].map(sequence => [sequence, number]),
    );
    templatesOf(changes.added).forEach(({ vector: found }, i) => {
      assert.equal(
        new Uint32Array(found.buffer),
        new Uint32Array((vectors[i] as Float32Array).slice().buffer),
      );
    });
    for (const gallery of [TEST, OTHER])
      assert.is((await store.galleryChanges(gallery, 0, 10)).added.count, 0);
  });

  check('pages of any size give the gallery as stored', async ({ db, store }) => {
    for (let i = 0; i < 6; i++) await enrolled(store);
    const all = await stored(db);
    assert.is(all.length, 12);
    for (const limit of [1, 2, 5, 11, 12, 13, 100]) {
      const mirror = new Mirror();
      await mirror.follow(store, limit);
      assert.equal(mirror.templates, all, `pages of ${limit}`);
      assert.is(mirror.sequence, 12);
    }
  });

  check('a load gives all that is stored at its call, from anywhere', async ({ store }) => {
    for (let i = 0; i < 6; i++) await enrolled(store);
    const { added } = await store.galleryChanges(LIVE, 0, 100);
    for (const since of [0, 5, 12]) {
      const { templates, pages } = await store.loadGallery(LIVE, since);
      assert.is(templates, 12 - since);
      const found: number[] = [];
      for await (const page of pages) found.push(...page.added.sequences);
      assert.equal(found, [...added.sequences].slice(since));
    }
    const empty = await store.loadGallery(OTHER, 0);
    assert.is(empty.templates, 0);
    for await (const _ of empty.pages) assert.unreachable('a page of nothing');
  });

  check('galleries are listed by their use since a month, the most used first', async ({ store }) => {
    const auth = (month: string) => ({ month, limit: null });
    for (let i = 0; i < 3; i++) await enrolled(store, { auth: auth('2026-02') });
    await enrolled(store, { gallery: OTHER, auth: auth('2026-03') });
    await enrolled(store, { gallery: TEST, auth: auth('2026-02') });
    const [live, test_, other] = [
      { gallery: LIVE, sequence: 6 },
      { gallery: TEST, sequence: 2 },
      { gallery: OTHER, sequence: 2 },
    ];
    const since = (month: string) => store.usedGalleries(month);
    assert.equal(await since('2026-01'), [live, test_, other]);
    assert.equal(await since('2026-03'), [other]);
    assert.equal(await since('2026-04'), []);
    await store.deleteApp(SECOND, NOW);
    assert.equal(await since('2026-03'), []);
  });

  check('removals reach whoever holds the template, once, and nobody else', async ({ store }) => {
    const first = await enrolled(store);
    await enrolled(store);
    await deleteUser(store, LIVE, first.user.id, NOW);
    const [gone, kept] = [
      [1, 2],
      [3, 4],
    ];
    const since = async (sequence: number) => {
      const { to, removed, added } = await store.galleryChanges(LIVE, sequence, 10);
      return { to, removed: [...removed], added: [...added.sequences] };
    };
    assert.equal(await since(0), { to: 6, removed: [], added: kept });
    assert.equal(await since(2), { to: 6, removed: gone, added: kept });
    assert.equal(await since(4), { to: 6, removed: gone, added: [] });
    assert.equal(await since(6), { to: 6, removed: [], added: [] });
  });

  check(
    'removals that are forgotten break the way of who is behind them, and of nobody else',
    async given => {
      const { db, store } = given;
      const [gone] = [await enrolled(store), await enrolled(store), await enrolled(store)];
      await enrolled(store, { gallery: OTHER });
      await deleteUser(store, LIVE, gone.user.id, NOW + 1);
      assert.is((await store.galleryState(LIVE)).sequence, 8);
      assert.is(await store.prune('removals', NOW + 1, 10), 0, 'not old enough');
      const step = async (since: number) => {
        const { to, removed, added, isBroken } = await store.galleryChanges(LIVE, since, 100);
        const pages: boolean[] = [];
        if (since < 8)
          for await (const page of (await store.loadGallery(LIVE, since)).pages)
            pages.push(page.isBroken === true);
        return [to, removed.length, added.count, isBroken, ...pages];
      };
      assert.equal(await step(6), [8, 2, 0, false, false]);
      assert.is(await store.prune('removals', NOW + 2, 1), 1, 'a few at a time');
      assert.equal(await step(6), [8, 1, 0, true, true]);
      assert.equal(await step(7), [8, 1, 0, false, false]);
      assert.is(await store.prune('removals', NOW + 2, 10), 1);
      assert.is(await store.prune('removals', NOW + 2, 10), 0);
      assert.is((await db.rows('SELECT 1 FROM removed_templates')).length, 0);
      assert.equal(await step(7), [8, 0, 0, true, true]);
      assert.equal(await step(0), [8, 0, 4, false, false], 'from nothing on there is nothing to be missed');
      assert.equal((await step(8))[3], false);
      assert.is((await store.galleryChanges(OTHER, 1, 10)).isBroken, false, 'another gallery');
    },
  );

  check('what is added and removed between the pages is in the end as stored', async ({ db, store }) => {
    const other = await db.open();
    const people: Enrolment[] = [];
    for (let i = 0; i < 10; i++) people.push(await enrolled(store));
    for (const limit of [1, 3, 7]) {
      const mirror = new Mirror();
      let pages = 0;
      await mirror.follow(store, limit, async () => {
        if (++pages > 3) return;
        // Somebody already loaded, somebody not yet loaded, somebody new.
        for (const leaver of [people.shift(), people.pop()])
          await deleteUser(other, LIVE, leaver?.user.id ?? '', NOW);
        await nextTurn();
        people.push(await enrolled(other));
      });
      assert.equal(mirror.templates, await stored(db), `pages of ${limit}`);
      assert.is(mirror.templates.length, people.length * 2);
    }
  });

  check('an erased gallery is at 0 again, for every handle', async ({ db, store }) => {
    await enrolled(store);
    assert.is((await store.galleryState(LIVE)).sequence, 2);
    await (await db.open()).deleteApp(LIVE.appId, NOW);
    await nextTurn();
    assert.is((await store.galleryState(LIVE)).sequence, 0);
    assert.equal(await store.galleryChanges(LIVE, 2, 10), {
      from: 2,
      to: 0,
      removed: [],
      added: packTemplates([]),
      unreadable: [],
      isBroken: false,
    });
  });

  check('a change by another handle is in the sequence with the next call', async ({ db, store }) => {
    const other = await db.open();
    for (let i = 0; i < 3; i++) {
      assert.is((await store.galleryState(LIVE)).sequence, i * 2);
      await other.enrol(enrolment({ sequence: i * 2 }));
      await nextTurn();
      assert.is((await store.galleryState(LIVE)).sequence, i * 2 + 2);
    }
  });
}
