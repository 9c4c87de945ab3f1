/**
 * Loads that end before their end, whatever ends them: nothing is left in the matcher, no opened template in a page
 * that it did not take, and what is in vain is not tried again and again.
 */
import * as assert from 'uvu/assert';
import type { Refusal } from '../../src/domain/refusal.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { suite } from '../support/suite.ts';
import { galleryOf, gate, ids, turns } from './gallery-fakes.ts';
import { fresh, holdPage, LONG, noneLeft, refusalOf, thrownBy } from './gallery-loading.ts';

const test = suite('gallery load failures');
const [A, B, C] = ['a', 'b', 'c'].map(galleryOf) as [
  ReturnType<typeof galleryOf>,
  ReturnType<typeof galleryOf>,
  ReturnType<typeof galleryOf>,
];

for (const [name, fault, isKept] of [
  ['the database', new StoreUnavailable(new Error('disk I/O error')), true],
  ['a template that does not open', new Error('unable to authenticate data'), false],
] as const) {
  test(`a load that fails half-way leaves nothing behind: ${name}`, async () => {
    const { store, matcher, galleries, notices } = fresh();
    store.add(A, ...ids(4_000));
    let reads = 0;
    store.before = what => {
      if (what === 'page' && ++reads === 3) throw fault;
    };
    const both = await Promise.all([thrownBy(galleries.ready(A)), thrownBy(galleries.ready(A))]);
    assert.is(both[0], both[1], 'told to everybody who waits');
    if (isKept) assert.is(both[0], fault);
    else assert.is((both[0] as Refusal).code, 'service_unavailable');
    assert.equal([matcher.loaded(), matcher.dropped], [[], ['a']]);
    assert.ok(noneLeft(store.pages));
    assert.equal(notices, [{ what: 'failed', gallery: A, cause: fault }]);
    await galleries.ready(A);
    assert.equal(matcher.ids(A), store.ids(A), 'and the next request begins anew');
  });
}

test('a page that the matcher refuses is erased, and the gallery is not kept', async () => {
  const { store, matcher, galleries } = fresh();
  store.add(A, ...ids(4_000));
  const apply = matcher.apply.bind(matcher);
  matcher.apply = async (gallery, changes) => {
    if (changes.from === 2_000) throw new Error('refused');
    await apply(gallery, changes);
  };
  await refusalOf(galleries.ready(A));
  assert.is(store.pages.length, 3);
  assert.ok(noneLeft(store.pages));
  assert.equal(matcher.loaded(), []);
});

test('a gallery that was whole before a failed step stays as it was', async () => {
  const { store, matcher, galleries } = fresh();
  store.add(A, ...ids(10));
  await galleries.ready(A);
  store.add(A, ...ids(3_000, 'more'));
  store.before = what => {
    if (what === 'page') throw new Error('gone');
  };
  await refusalOf(galleries.catchUp(A));
  assert.is(matcher.sequence(A), 10);
});

test('a load that failed late is not tried again at once: five times what it took, half a minute at most', async () => {
  for (const [took, pause] of [
    [999, 0],
    [2_000, 10_000],
    [60_000, 30_000],
  ] as const) {
    const { store, galleries, clock, notices } = fresh();
    store.add(A, ...ids(2_000));
    store.before = what => {
      if (what !== 'page') return;
      clock.time += took;
      throw new Error('gone');
    };
    const first = await refusalOf(galleries.ready(A));
    assert.is(first.extras.retryAfter, Math.max(pause, 1_000));
    store.before = () => undefined;
    if (pause > 0) {
      clock.time += pause - 1;
      for (const refused of [await refusalOf(galleries.ready(A)), await refusalOf(galleries.catchUp(A))])
        assert.is(refused.extras.retryAfter, 1);
      assert.equal([store.calls.length, notices.length], [1, 1]);
      clock.time += 1;
    }
    await galleries.ready(A);
  }
});

test('a clock that is set back does not prolong the wait', async () => {
  const { store, galleries, clock } = fresh();
  clock.time = 1e12;
  store.add(A, ...ids(2_000));
  store.before = what => {
    if (what !== 'page') return;
    clock.time += 5_000;
    throw new Error('gone');
  };
  await refusalOf(galleries.ready(A));
  store.before = () => undefined;
  clock.time -= 3_600_000;
  await galleries.ready(A);
});

test('a gallery erased while it is loaded is gone from the matcher, and nobody is refused', async () => {
  const { store, matcher, galleries, notices } = fresh();
  store.add(A, ...ids(LONG + 1));
  const held = holdPage(store, A, 4);
  const loading = galleries.ready(A);
  await turns();
  assert.equal(matcher.loaded(), ['a']);
  store.erase(A);
  held.open();
  await loading;
  assert.equal([matcher.loaded(), matcher.dropped], [[], ['a']]);
  assert.ok(noneLeft(store.pages));
  assert.equal(
    notices.map(({ what }) => what),
    ['loading'],
    'not told as loaded',
  );
});

test('what is erased while its gallery is loaded is out of the matcher before that is answered', async () => {
  const { store, matcher, galleries } = fresh();
  store.add(A, ...ids(3_000));
  for (const number of [1, 3]) {
    const held = holdPage(store, A, number, 'read');
    const loading = galleries.ready(A);
    await turns();
    // Of the page that was read and is not in the matcher yet.
    const gone = `t${(number - 1) * 1_000 + 7}`;
    store.remove(A, gone);
    let isAnswered = false;
    const refreshed = galleries.refresh(A).then(() => {
      isAnswered = true;
    });
    await turns();
    assert.not(isAnswered);
    held.open();
    await refreshed;
    assert.equal(matcher.ids(A), store.ids(A));
    assert.not(matcher.ids(A).includes(gone));
    await loading;
    await matcher.drop(A);
  }
  await galleries.refresh(A);
  assert.equal(matcher.loaded(), [], 'it loads nothing by itself');
});

test('an erasure is not refused because the load that it waited for failed: nothing is left either way', async () => {
  const { store, matcher, galleries } = fresh();
  store.add(A, ...ids(3_000));
  const held = gate();
  let reads = 0;
  store.before = async what => {
    if (what !== 'page' || ++reads !== 2) return;
    await held.opened;
    throw new Error('gone');
  };
  const loading = thrownBy(galleries.ready(A));
  await turns();
  const refreshed = galleries.refresh(A);
  held.open();
  await refreshed;
  await loading;
  assert.equal(matcher.loaded(), []);
});

test('closing ends long loads at their next page, refuses who waits and tells nobody of a failure', async () => {
  const { store, matcher, galleries, notices } = fresh();
  for (const gallery of [A, B]) store.add(gallery, ...ids(LONG + 1, gallery.appId));
  store.add(C, ...ids(2_000, 'c'));
  const held = holdPage(store, A, 3);
  const waiting = [refusalOf(galleries.ready(A)), refusalOf(galleries.ready(B))];
  await turns();
  const closed = galleries.close();
  held.open();
  await Promise.all([closed, ...waiting]);
  assert.is(store.pages.length, 3);
  assert.ok(noneLeft(store.pages));
  assert.equal(matcher.loaded(), []);
  assert.equal(
    notices.map(({ what }) => what),
    ['loading'],
  );
  await refusalOf(galleries.ready(A));
  await galleries.ready(C);
  assert.equal(matcher.loaded(), ['c'], 'what takes a moment goes on');
});

test.run();
