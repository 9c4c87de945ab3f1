/** Tier 2, encoders: a gallery remembers the one that an operator or its first enrolment names, and no template of another comes to it. */
import * as assert from 'uvu/assert';
import type { GalleryState, OwnTemplates, Store } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { overTwoHandles } from './code-fixtures.ts';
import { contractOn, count, type Engine, everything, nextTurn, tally } from './engine.ts';
import { enrolled, enrolment, FIRST, GALLERIES, LIVE, MONTH, NOW, TEST, vector } from './fixtures.ts';

const OTHERS = 'other_encoder';
const ORIGIN = { ip: '192.0.2.9', userAgent: 'Browser/9', liveness: undefined };
let given = 0;

/** Templates for a user who may have none. */
function own(userId: string, sequence: number, change: Partial<OwnTemplates> = {}): OwnTemplates {
  const templates = [0, 1].map(() => ({ id: `own_${++given}`, vector: vector(8_000 + given) }));
  const fields = { gallery: LIVE, userId, at: NOW + 3, templates, encoder: null, most: null };
  return { ...fields, origin: ORIGIN, sequence, ...change };
}

const held = async (store: Store, gallery = LIVE) => [
  ...(await store.galleryChanges(gallery, 0, 10_000)).added.sequences,
];

export function encoders(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);
  const wiped = contractOn(test, engine, { needs: 'erasedBytes' });

  check(
    'another encoder is refused before everything else, and nothing is stored or counted',
    async ({ db, store }) => {
      const { user } = await enrolled(store, { encoder: 'enc-a' });
      const before = await everything(db);
      const refused = { outcome: OTHERS, remembered: 'enc-a' };
      const { sequence } = await store.galleryState(LIVE);
      const taken = enrolment({ email: user.email, encoder: 'enc-A', sequence: 0, maximumUsers: 1 });
      assert.equal(await store.enrol(taken), refused);
      const spent = { month: MONTH, limit: 1 };
      assert.equal(await store.enrol(enrolment({ encoder: 'enc-a ', sequence, auth: spent })), refused);
      const lesson = own(user.id, sequence, { encoder: 'x' });
      assert.equal(await store.addTemplates({ ...lesson, most: 10 }), refused);
      assert.equal(await store.addTemplates(lesson), refused);
      assert.equal(await everything(db), before);
      assert.is((await store.addTemplates({ ...own(user.id, sequence), most: 10 })).outcome, 'stored');
    },
  );

  check('an enrolment that is refused records no encoder, nor does what is learned', async ({ store }) => {
    // The first of a gallery would record it.
    for (const wrong of [{ sequence: 1 }, { maximumUsers: 0 }, { auth: { month: MONTH, limit: 0 } }]) {
      assert.is.not(
        (await store.enrol(enrolment({ sequence: 0, encoder: 'x', ...wrong }))).outcome,
        'enrolled',
      );
      assert.is((await store.galleryState(LIVE)).encoder, null, JSON.stringify(wrong));
    }
    const { user } = await enrolled(store);
    const { sequence } = await store.galleryState(LIVE);
    for (const wrong of [
      { email: user.email },
      { sequence: 1 },
      { maximumUsers: 1 },
      { auth: { month: MONTH, limit: 1 } },
    ])
      assert.is.not((await store.enrol(enrolment({ sequence, encoder: 'x', ...wrong }))).outcome, 'enrolled');
    const learned = { ...own(user.id, sequence, { encoder: 'x' }), most: 10 };
    assert.is((await store.addTemplates(learned)).outcome, 'stored');
    assert.is((await store.galleryState(LIVE)).encoder, null);
  });

  check('what another process remembers or forgets counts with the next call', async ({ db, store }) => {
    const other = await db.open();
    assert.is((await other.galleryState(LIVE)).encoder, null);
    await enrolled(store, { encoder: 'enc-a' });
    await nextTurn();
    assert.is((await other.galleryState(LIVE)).encoder, 'enc-a');
    assert.equal(await other.resetEncoder(LIVE, null), { previous: 'enc-a', erasedTemplates: 0 });
    await nextTurn();
    assert.is((await store.galleryState(LIVE)).encoder, null);
    assert.is((await store.nameEncoder(LIVE, 'enc-b')).outcome, 'named');
    await nextTurn();
    assert.is((await other.galleryState(LIVE)).encoder, 'enc-b');
  });

  check('over templates of no remembered encoder no enrolment sets one, until none is left', async all => {
    const { store } = all;
    const { user } = await enrolled(store);
    await enrolled(store, { encoder: 'x' });
    assert.is((await store.galleryState(LIVE)).encoder, null, 'enrolled without a name');
    await store.resetEncoder(LIVE, 'enc-a');
    await store.resetEncoder(LIVE, null);
    const outcomes = await overTwoHandles(all, 20, async handle => {
      const { sequence } = await handle.galleryState(LIVE);
      return (await handle.enrol(enrolment({ sequence, encoder: 'x' }))).outcome;
    });
    assert.ok(outcomes.includes('enrolled'));
    assert.is((await store.galleryState(LIVE)).encoder, null, 'after a reset');
    await store.resetEncoder(LIVE, null, { at: NOW });
    const first = own(user.id, (await store.galleryState(LIVE)).sequence);
    assert.is((await store.addTemplates(first)).outcome, 'stored');
    const { user: second } = await enrolled(store, { templates: [], encoder: 'x' });
    const next = own(second.id, (await store.galleryState(LIVE)).sequence, { encoder: 'x' });
    assert.is((await store.addTemplates(next)).outcome, 'stored');
    assert.is((await store.galleryState(LIVE)).encoder, null, 'a face added anew without a name');
    await store.resetEncoder(LIVE, null, { at: NOW });
    await enrolled(store, { encoder: 'enc-b' });
    assert.is((await store.galleryState(LIVE)).encoder, 'enc-b');
  });

  check(
    'naming: before any template and over unnamed ones, not over those of another one',
    async ({ store }) => {
      const named = (previous: string | null) => ({ outcome: 'named', previous });
      assert.equal(await store.nameEncoder(LIVE, 'enc-a'), named(null));
      assert.is((await store.galleryState(LIVE)).sequence, 0);
      assert.equal(await store.nameEncoder(LIVE, 'enc-b'), named('enc-a'), 'no template yet');
      const refused = { outcome: OTHERS, remembered: 'enc-b' };
      assert.equal(await store.enrol(enrolment({ encoder: 'enc-a' })), refused);
      await enrolled(store, { encoder: 'enc-b' });
      assert.equal(await store.nameEncoder(LIVE, 'enc-b'), named('enc-b'));
      assert.equal(await store.nameEncoder(LIVE, 'enc-a'), refused);
      assert.equal(await store.encoders(), [{ gallery: LIVE, encoder: 'enc-b' }]);
      await enrolled(store, { gallery: TEST });
      assert.equal(await store.nameEncoder(TEST, 'enc-a'), named(null), 'enrolled without a name');
      const nowhere = { appId: 'app_none', mode: 'live' } as const;
      assert.equal(await store.nameEncoder(nowhere, 'enc-a'), named(null));
      assert.is((await store.galleryState(nowhere)).encoder, null);
    },
  );

  check('a reset may name the next one, and so may erasing, with the last template', async ({ store }) => {
    const templates = Array.from({ length: 600 }, (_, i) => ({ id: `next_${i}`, vector: vector(i) }));
    await enrolled(store, { templates, encoder: 'enc-a' });
    assert.equal(await store.resetEncoder(LIVE, 'enc-b'), { previous: 'enc-a', erasedTemplates: 0 });
    assert.is((await store.galleryState(LIVE)).encoder, 'enc-b');
    const seen: Promise<GalleryState>[] = [];
    const tell = () => void seen.push(store.galleryState(LIVE));
    await store.resetEncoder(LIVE, 'enc-c', { at: NOW, tell });
    const told = (await Promise.all(seen)).map(({ encoder }) => encoder);
    assert.equal(told, ['enc-b', 'enc-c']);
    await store.resetEncoder(TEST, 'enc-c', { at: NOW });
    assert.is((await store.galleryState(TEST)).encoder, 'enc-c', 'where nothing was');
  });

  check('forgetting changes nothing else', async ({ db, store }) => {
    for (const gallery of GALLERIES) await enrolled(store, { gallery, encoder: 'enc-a' });
    const { galleries: _, ...before } = await everything(db);
    assert.equal(await store.resetEncoder(LIVE, null), { previous: 'enc-a', erasedTemplates: 0 });
    assert.equal(await store.resetEncoder(LIVE, null), { previous: null, erasedTemplates: 0 });
    const { galleries: __, ...after } = await everything(db);
    assert.equal(after, before);
    assert.is((await store.galleryState(LIVE)).sequence, 2);
    assert.is((await store.encoders()).length, 3);
    const nowhere = { appId: 'app_none', mode: 'live' } as const;
    assert.equal(await store.resetEncoder(nowhere, null), { previous: null, erasedTemplates: 0 });
  });

  check('erasing takes every template of the gallery, and nothing else of anybody', async ({ db, store }) => {
    const { user } = await enrolled(store, { encoder: 'enc-a' });
    await store.addTemplates({ ...own(user.id, 2), most: 10 });
    await enrolled(store);
    for (const gallery of GALLERIES.slice(1)) await enrolled(store, { gallery, encoder: 'enc-a' });
    const gone = await held(store);
    assert.is(gone.length, 6);
    const before = await everything(db);
    const reset = await store.resetEncoder(LIVE, null, { at: NOW });
    assert.equal(reset, { previous: 'enc-a', erasedTemplates: 6 });
    const after = await everything(db);
    for (const table of ['users', 'consents', 'auth_events', 'usage', 'windows', 'api_keys'])
      assert.equal(after[table], before[table], table);
    assert.is(await count(db, 'templates'), 6, 'two in each of the others');
    assert.is(await count(db, 'templates', `app_id = '${FIRST}' AND mode = 'live'`), 0);
    assert.is((await store.galleryState(LIVE)).encoder, null);
    assert.is((await store.galleryState(TEST)).encoder, 'enc-a');
    const changes = await store.galleryChanges(LIVE, 6, 100);
    assert.equal([...changes.removed].sort(), gone.sort(), 'a matcher that holds them is told');
    assert.is(changes.to, 12);
    assert.equal(await store.enrolledTemplates(LIVE, user.id), []);
    assert.is((await store.profileOf(LIVE, user.id))?.templateCount, 0);
    assert.equal(await store.resetEncoder(LIVE, null, { at: NOW }), { previous: null, erasedTemplates: 0 });
  });

  wiped('what is erased leaves no byte, in clear or sealed', async ({ db, store }) => {
    await enrolled(store, { encoder: 'enc-a' });
    await enrolled(store, { gallery: TEST });
    const rows = await db.rows<{ mode: string; sealed: Uint8Array }>('SELECT mode, sealed FROM templates');
    const parts = (mode: string) =>
      rows
        .filter(row => row.mode === mode)
        .flatMap(({ sealed }) =>
          [0, 29, sealed.length - 16].map(at => Buffer.from(sealed).subarray(at, at + 16)),
        );
    const isThere = async (mode: string) => {
      const bytes = await db.bytes();
      return parts(mode).map(part => bytes.includes(part));
    };
    assert.equal(await isThere('live'), Array(6).fill(true), 'found before');
    await store.resetEncoder(LIVE, null, { at: NOW });
    assert.equal(await isThere('live'), Array(6).fill(false));
    assert.equal(await isThere('test'), Array(6).fill(true));
  });

  check('more than a batch is erased to the end, and reported on the way', async ({ db, store }) => {
    const templates = Array.from({ length: 1_200 }, (_, i) => ({ id: `many_${i}`, vector: vector(i) }));
    await enrolled(store, { templates, encoder: 'enc-a' });
    const progress: number[] = [];
    const erasing = { at: NOW, tell: (erased: number) => void progress.push(erased) };
    const reset = await store.resetEncoder(LIVE, null, erasing);
    assert.equal(reset, { previous: 'enc-a', erasedTemplates: 1_200 });
    assert.equal(progress, [500, 1_000, 1_200]);
    assert.is(await count(db, 'templates'), 0);
    assert.is((await store.galleryState(LIVE)).sequence, 2_400);
    const removed = (await store.galleryChanges(LIVE, 1_200, 10)).removed;
    assert.is(removed.length, 1_200);
  });

  check('the encoder is remembered until the last template is gone', async ({ store }) => {
    const templates = Array.from({ length: 600 }, (_, i) => ({ id: `some_${i}`, vector: vector(i) }));
    await enrolled(store, { templates, encoder: 'enc-a' });
    const seen: Promise<GalleryState>[] = [];
    const tell = () => void seen.push(store.galleryState(LIVE));
    await store.resetEncoder(LIVE, null, { at: NOW, tell });
    const told = (await Promise.all(seen)).map(({ encoder }) => encoder);
    assert.equal(told, ['enc-a', null]);
  });

  check('a user without templates gets first ones: enrolled, with the encoder, once', async all => {
    const { db, store } = all;
    const { user } = await enrolled(store, { encoder: 'enc-a' });
    await enrolled(store);
    const { sequence } = await store.galleryState(LIVE);
    assert.equal(await store.addTemplates(own(user.id, sequence)), { outcome: 'has_some' });
    await store.resetEncoder(LIVE, null, { at: NOW });
    const { sequence: empty } = await store.galleryState(LIVE);
    const before = await everything(db);
    assert.equal(await store.addTemplates(own('usr_none', empty)), { outcome: 'user_gone' });
    assert.equal(await store.addTemplates(own(user.id, empty, { gallery: TEST })), { outcome: 'user_gone' });
    assert.equal(await store.addTemplates(own(user.id, empty - 1)), { outcome: 'stale' });
    assert.equal(await everything(db), before);
    const outcomes = await overTwoHandles(all, 50, handle =>
      handle.addTemplates(own(user.id, empty, { encoder: 'enc-b' })),
    );
    assert.equal(tally(outcomes), { stored: 1, stale: 49 });
    assert.equal(
      outcomes.find(({ outcome }) => outcome === 'stored'),
      { outcome: 'stored', templateCount: 2 },
    );
    await nextTurn();
    assert.is((await store.enrolledTemplates(LIVE, user.id)).length, 2);
    assert.is((await store.galleryState(LIVE)).encoder, 'enc-b');
    assert.is(await count(db, 'auth_events', `type = 'templates_added' AND user_id = '${user.id}'`), 1);
    assert.is((await store.usageOf(LIVE, MONTH)).auths, 2, 'no auth');
  });

  check('the encoder goes with its app', async ({ store }) => {
    for (const gallery of GALLERIES) await enrolled(store, { gallery, encoder: 'enc-a' });
    await store.deleteApp(FIRST, NOW);
    assert.equal(
      (await store.encoders()).map(({ gallery }) => gallery),
      GALLERIES.slice(2),
    );
    assert.is((await store.galleryState(LIVE)).encoder, null);
  });
}
