/**
 * The keeper of the galleries: whatever is stored is in the matcher before a search, whoever loads, in pages of any
 * number, while others add, remove and erase; and a gallery's enrolments go one by one.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { Refusal } from '../../src/domain/refusal.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { suite } from '../support/suite.ts';
import { FakeMatcher, FakeStore, galleryOf, gate, ids, keeper, turns } from './gallery-fakes.ts';

const test = suite('galleries');
const A = galleryOf('a');
const B = galleryOf('b');
const PAGE = 1_000;

function fresh() {
  const store = new FakeStore();
  const matcher = new FakeMatcher();
  return { store, matcher, ...keeper(store, matcher) };
}

test('loads on first use, then only what is new, and asks for nothing when nothing is', async () => {
  const { store, matcher, galleries } = fresh();
  store.add(A, ...ids(3));
  await galleries.ready(A);
  store.add(A, 'late');
  store.remove(A, 't1');
  await galleries.catchUp(A);
  await galleries.catchUp(A);
  assert.equal(matcher.ids(A), ['t0', 't2', 'late']);
  assert.equal(store.calls, ['a since 0', 'a since 3']);
});

test('an empty gallery needs no load', async () => {
  const { store, galleries } = fresh();
  await galleries.ready(A);
  await galleries.catchUp(A);
  assert.equal(store.calls, []);
});

test('a store that has lost its last changes is loaded anew', async () => {
  const { store, matcher, galleries } = fresh();
  store.add(A, ...ids(5));
  await galleries.catchUp(A);
  store.erase(A);
  store.add(A, 't0', 'new');
  await galleries.catchUp(A);
  assert.equal(matcher.ids(A), ['t0', 'new']);
  assert.is(matcher.sequence(A), 2);
});

test('takes page after page, whether or not the last one is full', async () => {
  for (const count of [PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 2 * PAGE + 500]) {
    const { store, matcher, galleries } = fresh();
    store.add(A, ...ids(count));
    await galleries.catchUp(A);
    assert.equal(matcher.ids(A), store.ids(A), `${count} templates`);
    assert.is(matcher.sequence(A), count);
  }
});

test('what is added and removed between two pages is reflected in the end', async () => {
  const { store, matcher, galleries } = fresh();
  store.add(A, ...ids(3 * PAGE));
  let pages = 0;
  matcher.before = () => {
    if (++pages > 2) return;
    store.remove(A, `t${pages}`); // loaded already
    store.remove(A, `t${3 * PAGE - pages}`); // not loaded yet
    store.add(A, `late${pages}`);
  };
  await galleries.catchUp(A);
  assert.equal(matcher.ids(A), store.ids(A));
  assert.is(matcher.ids(A).length, 3 * PAGE - 2);
});

test('many callers share one load', async () => {
  const { store, matcher, galleries } = fresh();
  store.add(A, ...ids(10));
  await Promise.all(
    Array.from({ length: 50 }, (_, i) => (i % 2 ? galleries.catchUp(A) : galleries.ready(A))),
  );
  assert.equal(store.calls, ['a since 0']);
  assert.equal(matcher.ids(A), ids(10));
});

test('who joins a load under way still gets what was stored before the call', async () => {
  const { store, matcher, galleries } = fresh();
  const held = gate();
  store.add(A, 'early');
  matcher.before = () => held.opened;
  const first = galleries.catchUp(A);
  await turns();
  store.add(A, 'late');
  const joined = galleries.catchUp(A).then(() => matcher.ids(A));
  await turns();
  held.open();
  await first;
  assert.equal(await joined, ['early', 'late']);
});

test('one gallery does not wait for another', async () => {
  const { store, matcher, galleries } = fresh();
  const held = gate();
  store.add(A, 'a0');
  store.add(B, 'b0');
  matcher.before = (_, { appId }) => (appId === 'a' ? held.opened : undefined);
  const slow = galleries.catchUp(A);
  await galleries.catchUp(B);
  assert.equal(matcher.ids(B), ['b0']);
  held.open();
  await slow;
});

test('a load that fails is reported to everybody who waits, and the next call tries again', async () => {
  const { store, matcher, galleries } = fresh();
  store.add(A, 'a0');
  store.before = what => {
    if (what === 'changes') throw new Error('out of order');
  };
  const both = await Promise.allSettled([galleries.catchUp(A), galleries.ready(A)]);
  assert.equal(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  store.before = () => undefined;
  await galleries.ready(A);
  assert.equal(matcher.ids(A), ['a0']);
});

test('an erased gallery is dropped, by the next use and by reconciling without any', async () => {
  const { store, matcher, galleries } = fresh();
  for (const again of [() => galleries.catchUp(A), () => galleries.reconcile()]) {
    store.add(A, 'a0');
    await galleries.ready(A);
    store.erase(A);
    await again();
    assert.equal(matcher.loaded(), []);
  }
});

test('reconciling brings every loaded gallery up to date, and loads no other', async () => {
  const { store, matcher, galleries } = fresh();
  for (const gallery of [A, B]) {
    store.add(gallery, 'one', 'two');
    await galleries.ready(gallery);
  }
  store.add(galleryOf('never used'), 'x');
  store.remove(A, 'one');
  store.remove(B, 'two');
  await galleries.reconcile();
  assert.equal([matcher.ids(A), matcher.ids(B)], [['two'], ['one']]);
  assert.equal(matcher.loaded(), ['a', 'b']);
});

test('a gallery erased while its page was being read does not fail the request', async () => {
  const { store, matcher, galleries } = fresh();
  store.add(A, ...ids(PAGE + 1));
  let reads = 0;
  let other: Promise<void> | undefined;
  store.before = async what => {
    if (what !== 'page' || ++reads !== 2) return;
    store.erase(A);
    other = galleries.catchUp(A); // another request notices first
    await turns(3);
  };
  await galleries.ready(A);
  await other;
  assert.is(reads, 2);
  assert.equal(matcher.loaded(), []);
});

test('exclusive: one task at a time per gallery, in order, through failures', async () => {
  const { galleries } = fresh();
  const trace: string[] = [];
  const task =
    (name: string, fails = false) =>
    async () => {
      trace.push(`${name} begins`);
      await turns(3);
      trace.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const results = await Promise.allSettled([
    galleries.exclusive(A, task('1')),
    galleries.exclusive(A, task('2', true)),
    galleries.exclusive(A, () => {
      trace.push('3 begins', '3 ends');
      throw new Error('3'); // before there is a promise
    }),
    galleries.exclusive(A, task('4')),
  ]);
  assert.equal(
    trace,
    ['1', '2', '3', '4'].flatMap(name => [`${name} begins`, `${name} ends`]),
  );
  assert.equal(
    results.map(result => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message)),
    ['1', '2', '3', '4'],
  );
  assert.is(await galleries.exclusive(A, task('5')), '5');
});

test('exclusive: what waits behind a store that did not answer is refused with it, and not tried for as long', async () => {
  const { galleries } = fresh();
  const held = gate();
  const fault = new StoreUnavailable(new Error('locked from outside'));
  const tried: number[] = [];
  const behind = (n: number) =>
    galleries.exclusive(A, async () => {
      tried.push(n);
    });
  const first = galleries.exclusive(A, () => held.opened.then(() => Promise.reject(fault)));
  const others = [1, 2, 3].map(behind);
  held.open();
  for (const one of [first, ...others]) assert.is(await one.catch(error => error), fault);
  assert.equal(tried, []);
  await behind(4);
  assert.equal(tried, [4], 'a later one is tried');
});

test('exclusive: galleries, and the two modes of an app, do not wait for each other', async () => {
  const { galleries } = fresh();
  const held = gate();
  const first = galleries.exclusive(A, () => held.opened);
  const others = [B, { appId: 'a', mode: 'test' as const }].map(other =>
    galleries.exclusive(other, async () => 1),
  );
  assert.equal(await Promise.all(others), [1, 1]);
  held.open();
  await first;
});

test('ready gives up after 10 s, and the load goes on', async () => {
  const { store, matcher, galleries } = fresh();
  const held = gate();
  store.add(A, 'a0');
  matcher.before = () => held.opened;
  const waits: number[] = [];
  const real = timers.setTimeout;
  timers.setTimeout = ((ms: number, ...rest: [unknown, object]) => {
    waits.push(ms);
    return real(20, ...rest);
  }) as typeof real;
  syncBuiltinESMExports();
  try {
    const refusal = await galleries.ready(A).then(
      () => new Error('was let through'),
      (error: Error) => error,
    );
    assert.instance(refusal, Refusal, refusal.message);
    assert.is((refusal as Refusal).code, 'service_unavailable');
    assert.is((refusal as Refusal).extras.retryAfter, 10_000);
  } finally {
    timers.setTimeout = real;
    syncBuiltinESMExports();
  }
  assert.equal(waits, [10_000]);
  held.open();
  await galleries.ready(A);
  assert.equal(matcher.ids(A), ['a0']);
  assert.equal(store.calls, ['a since 0'], 'the load was not begun again');
});

test.run();
