/** Loading of large galleries: by the page, in turns, told of while it goes on, and at the start the most used first. */
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { BYTES_PER_TEMPLATE, galleryOf, gate, ids, LOAD_PAGE, turns } from './gallery-fakes.ts';
import { fresh, holdPage, LONG, noneLeft, refusalOf } from './gallery-loading.ts';

const test = suite('gallery loads');
const [A, B, C] = ['a', 'b', 'c'].map(galleryOf) as [
  ReturnType<typeof galleryOf>,
  ReturnType<typeof galleryOf>,
  ReturnType<typeof galleryOf>,
];

test('few changes are read at once, many by the page', async () => {
  const { store, matcher, galleries } = fresh();
  store.add(A, ...ids(1_000));
  await galleries.catchUp(A);
  store.add(A, ...ids(1_001, 'more'));
  store.remove(A, 't7');
  await galleries.catchUp(A);
  store.add(A, 'last');
  await galleries.catchUp(A);
  assert.equal(store.calls, ['a since 0', 'a loads since 1000', 'a since 2002']);
  assert.equal(matcher.ids(A), store.ids(A));
  assert.ok(noneLeft(store.pages));
});

for (const many of [1, LOAD_PAGE + 5])
  test(`who is behind removals that are forgotten loads the gallery anew (${many} more)`, async () => {
    const { store, matcher, galleries } = fresh();
    store.add(A, ...ids(5));
    store.add(B, 'b0');
    await galleries.catchUp(A);
    await galleries.catchUp(B);
    store.remove(A, 't3');
    store.add(A, ...ids(many, 'more'));
    store.prune(A);
    await galleries.refresh(A);
    assert.not.ok(matcher.ids(A).includes('t3'), 'forgotten at once');
    await galleries.catchUp(A);
    assert.equal(matcher.ids(A), store.ids(A));
    assert.equal(matcher.ids(B), ['b0']);
    const before = store.calls.length;
    await galleries.catchUp(A);
    assert.is(store.calls.length, before, 'and stays loaded');
    assert.ok(noneLeft(store.pages));
  });

test('a long load is reported at its beginning, every two seconds and at its end, and seen meanwhile', async () => {
  const { store, matcher, galleries, clock, notices } = fresh();
  store.add(A, ...ids(LONG + 500));
  store.add(B, 'b0');
  await galleries.ready(B);
  const seen: unknown[] = [];
  matcher.before = () => {
    seen.push(...galleries.status().loading.map(({ loaded, total }) => `${loaded}/${total}`));
    assert.is(galleries.status().loaded, 1);
    clock.time += 700;
  };
  await galleries.ready(A);
  const loading = (loaded: number) => ({ what: 'loading', gallery: A, loaded, total: LONG + 500 });
  assert.equal(notices, [
    loading(0),
    loading(3_000),
    loading(6_000),
    loading(9_000),
    { what: 'loaded', gallery: A, templates: LONG + 500, ms: 7_700 },
  ]);
  assert.equal(
    seen,
    Array.from({ length: 11 }, (_, i) => `${i * LOAD_PAGE}/${LONG + 500}`),
  );
  const bytes = (LONG + 501) * BYTES_PER_TEMPLATE;
  const budgetBytes = Number.POSITIVE_INFINITY;
  assert.equal(galleries.status(), { loading: [], unreadable: [], loaded: 2, bytes, budgetBytes });
});

test('loads that are not long are not reported', async () => {
  const { store, galleries, notices } = fresh();
  store.add(A, ...ids(LONG));
  await galleries.ready(A);
  assert.equal(notices, []);
});

test('long loads take turns; short ones go ahead', async () => {
  const { store, matcher, galleries } = fresh();
  for (const gallery of [A, B]) store.add(gallery, ...ids(LONG + 1, gallery.appId));
  store.add(C, ...ids(2_000, 'c'));
  const held = holdPage(store, A, 3);
  const both = [galleries.ready(A), galleries.ready(B)];
  await turns();
  assert.equal(
    galleries.status().loading.map(({ gallery, loaded, total }) => [gallery.appId, loaded, total]),
    [
      ['a', 2_000, LONG + 1],
      ['b', 0, 0],
    ],
  );
  await galleries.ready(C);
  assert.equal(matcher.ids(C), store.ids(C));
  assert.equal(store.calls, ['a loads since 0', 'c loads since 0']);
  held.open();
  await Promise.all(both);
  assert.equal([matcher.ids(A), matcher.ids(B)], [store.ids(A), store.ids(B)]);
});

test('a half-loaded gallery lets nobody through', async () => {
  const { store, matcher, galleries } = fresh();
  store.add(A, ...ids(5_000));
  const held = holdPage(store, A, 3);
  const first = galleries.ready(A);
  await turns();
  assert.is(matcher.sequence(A), 2_000);
  let through = false;
  const second = galleries.ready(A).then(() => {
    through = true;
  });
  await turns();
  assert.not(through);
  held.open();
  await Promise.all([first, second]);
  assert.equal(matcher.ids(A), store.ids(A));
});

test('a gallery that is loaded but far behind is waited for as well', async () => {
  const { store, matcher, galleries } = fresh();
  store.add(A, 'first');
  await galleries.ready(A);
  store.add(A, ...ids(3_000));
  await galleries.ready(A);
  assert.equal(matcher.ids(A), store.ids(A));
});

test('reconciling does not wait for a gallery that is being loaded, or is far behind', async () => {
  const { store, matcher, galleries } = fresh();
  for (const gallery of [A, B, C]) store.add(gallery, 'one', 'two');
  await galleries.ready(B);
  await galleries.ready(C);
  store.add(A, ...ids(5_000));
  store.add(B, ...ids(5_000));
  store.remove(C, 'one');
  const held = gate();
  store.before = what => (what === 'page' ? held.opened : undefined);
  const loading = galleries.ready(A);
  await turns();
  await galleries.reconcile();
  assert.equal(matcher.ids(C), ['two']);
  held.open();
  await loading;
  await galleries.catchUp(B);
  assert.equal(matcher.ids(B), store.ids(B));
});

test('at the start the most used galleries are loaded, as many as fit, and nobody is dropped for them', async () => {
  const { store, matcher, galleries } = fresh(2_000 * 1_200);
  store.add(A, ...ids(1_000));
  store.add(B, ...ids(2_000));
  store.add(C, ...ids(900));
  store.used = [A, B, C];
  await galleries.preload();
  assert.equal(matcher.loaded(), ['a', 'c']);
  assert.equal(store.calls, ['a since 0', 'c since 0']);
  // The least used goes first when somebody else comes.
  const other = galleryOf('other');
  store.add(other, ...ids(3_000));
  await galleries.ready(other);
  assert.equal(matcher.dropped, ['c']);
});

test('requests go before what is loaded at the start', async () => {
  const { store, galleries } = fresh();
  for (const gallery of [A, B, C]) store.add(gallery, ...ids(LONG + 1, gallery.appId));
  store.used = [A];
  const held = holdPage(store, B, 2);
  const first = galleries.ready(B);
  await turns();
  const start = galleries.preload();
  await turns();
  const second = galleries.ready(C);
  await turns();
  held.open();
  await Promise.all([start, first, second]);
  assert.equal(store.calls, ['b loads since 0', 'c loads since 0', 'a loads since 0']);
});

test('a gallery that fails at the start does not keep the others from being loaded', async () => {
  const { store, matcher, galleries, notices } = fresh();
  for (const gallery of [A, B]) store.add(gallery, 'one');
  store.used = [A, B];
  store.before = (what, { appId }) => {
    if (what === 'changes' && appId === 'a') throw new Error('gone');
  };
  await galleries.preload();
  assert.equal(matcher.loaded(), ['b']);
  assert.equal(
    notices.map(({ what, gallery }) => [what, gallery.appId]),
    [['failed', 'a']],
  );
});

test('a gallery that says it has changes and gives none is given up on, and the event loop turns meanwhile', async () => {
  const { store, galleries } = fresh();
  store.galleryState = async () => ({ sequence: 5, encoder: null });
  let turned = 0;
  const timer = setInterval(() => {
    turned += 1;
  }, 1);
  await refusalOf(galleries.catchUp(A));
  clearInterval(timer);
  assert.ok(turned > 10, `${turned} turns`);
});

test.run();
