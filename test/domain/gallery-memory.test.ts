/**
 * The memory budget of the galleries: the least recently used goes, never the one at hand, and a gallery that goes
 * at an awkward moment costs time, not a wrong answer.
 */
import * as assert from 'uvu/assert';
import type { Caller } from '../../src/domain/caller.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { signInByFace } from '../../src/domain/sign-in.ts';
import type { SignIn } from '../../src/ports/store.ts';
import { suite } from '../support/suite.ts';
import {
  BYTES_PER_TEMPLATE,
  FakeMatcher,
  FakeStore,
  galleryOf,
  gate,
  ids,
  keeper,
  turns,
  unlimited,
} from './gallery-fakes.ts';

const test = suite('gallery memory');
const [A, B, C, D] = ['a', 'b', 'c', 'd'].map(galleryOf) as [
  ReturnType<typeof galleryOf>,
  ReturnType<typeof galleryOf>,
  ReturnType<typeof galleryOf>,
  ReturnType<typeof galleryOf>,
];

/** Galleries of 10 templates each, and room for `room` of them. */
function fresh(room: number) {
  const store = new FakeStore();
  const matcher = new FakeMatcher();
  for (const gallery of [A, B, C, D]) store.add(gallery, ...ids(10, gallery.appId));
  const { galleries, notices, clock } = keeper(store, matcher, room * 10 * BYTES_PER_TEMPLATE);
  /** As a request does: ready at first, caught up before the search. */
  const use = async (gallery: typeof A) => {
    await galleries.ready(gallery);
    await galleries.catchUp(gallery);
  };
  return { store, matcher, galleries, notices, clock, use };
}

async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  const error = await promise.then(
    () => new Error('was let through'),
    (reason: Error) => reason,
  );
  assert.instance(error, Refusal, error.message);
  return error as Refusal;
}

test('within the budget nothing is dropped', async () => {
  const { matcher, use } = fresh(4);
  for (const gallery of [A, B, C, D]) await use(gallery);
  assert.equal(matcher.loaded(), ['a', 'b', 'c', 'd']);
  assert.equal(matcher.dropped, []);
});

test('beyond it the least recently used goes, and comes back on use', async () => {
  const { matcher, use } = fresh(2);
  await use(A);
  await use(B);
  await use(A); // used again: b is the oldest now
  await use(C);
  assert.equal(matcher.loaded(), ['a', 'c']);
  await use(B);
  assert.equal(matcher.loaded(), ['b', 'c']);
  assert.equal(matcher.ids(B), ids(10, 'b'));
  assert.equal(matcher.dropped, ['b', 'a']);
});

test('as many go as must, and never the one at hand', async () => {
  const { store, matcher, use } = fresh(3);
  for (const gallery of [A, B, C]) await use(gallery);
  store.add(D, ...ids(20, 'more'));
  await use(D);
  assert.equal(matcher.loaded(), ['d']);
  assert.is(matcher.ids(D).length, 30);
  await use(A);
  assert.equal(matcher.loaded(), ['a']);
});

test('a gallery larger than the whole budget is refused, drives nobody out, and is reported once', async () => {
  const { store, matcher, galleries, notices, clock, use } = fresh(3);
  await use(A);
  store.add(D, ...ids(21, 'more'));
  for (let i = 0; i < 3; i++) {
    const refused = await refusalOf(galleries.ready(D));
    assert.equal([refused.code, refused.extras.retryAfter], ['service_unavailable', 30_000 - i * 1_000]);
    clock.time += 1_000;
  }
  assert.equal(matcher.loaded(), ['a']);
  assert.equal(notices, [{ what: 'too_large', gallery: D, templates: 31, isRefused: true }]);
  assert.is(store.calls.filter(call => call.startsWith('d')).length, 1, 'tried once');
  store.remove(D, 'more0');
  clock.time += 30_000;
  await use(D);
  assert.equal(matcher.ids(D).length, 30);
});

test('that a large gallery cannot fit is known long before its end', async () => {
  const { store, matcher, galleries, notices, use } = fresh(900);
  await use(A);
  const large = galleryOf('large');
  store.add(large, ...ids(9_500));
  const refused = await refusalOf(galleries.ready(large));
  assert.is(refused.code, 'service_unavailable');
  assert.is(store.pages.length, 5);
  assert.equal(matcher.loaded(), ['a']);
  assert.equal(notices, [{ what: 'too_large', gallery: large, templates: 9_500, isRefused: true }]);
});

test('a loaded gallery that outgrows the budget stays, and that is reported once', async () => {
  const { store, matcher, notices, use } = fresh(1);
  await use(A);
  for (let i = 0; i < 3; i++) {
    store.add(A, `more${i}`);
    await use(A);
  }
  assert.is(matcher.ids(A).length, 13);
  assert.equal(notices, [{ what: 'too_large', gallery: A, templates: 11, isRefused: false }]);
});

test('growth of a loaded gallery counts too', async () => {
  const { store, matcher, use } = fresh(2);
  await use(A);
  await use(B);
  store.add(B, 'one more');
  await use(B);
  assert.equal(matcher.loaded(), ['b']);
});

test('reconciling does not bring back what was dropped meanwhile', async () => {
  const { store, matcher, galleries, use } = fresh(3);
  for (const gallery of [A, B, C]) await use(gallery);
  let once = true;
  store.before = async (what, { appId }) => {
    if (!once || what !== 'sequence' || appId !== 'a') return;
    once = false;
    await use(A); // a is in use; c and b are older
    await use(D);
  };
  await galleries.reconcile();
  assert.ok(matcher.stats().bytes <= 30 * BYTES_PER_TEMPLATE);
  assert.equal(matcher.loaded(), ['a', 'c', 'd']);
});

test('a gallery that came back through a catch-up alone can be dropped again', async () => {
  const { store, matcher, galleries, use } = fresh(2);
  await use(A);
  await use(B);
  await use(C); // drops a, whose request goes on
  store.add(A, ...ids(10, 'more'));
  await galleries.catchUp(A);
  assert.equal(matcher.loaded(), ['a']);
  await use(B);
  assert.equal(matcher.loaded(), ['b']);
});

/** Loads a gallery of 1,500 templates where there is room for `room` times 10, and does something after its first page. */
async function between(room: number, meanwhile: (given: ReturnType<typeof fresh>) => Promise<void>) {
  const given = fresh(room);
  const { store, matcher, galleries } = given;
  const large = galleryOf('large');
  store.add(large, ...ids(1_500));
  const held = gate();
  let reads = 0;
  store.before = what => (what === 'page' && ++reads === 2 ? held.opened : undefined);
  const loading = galleries.ready(large);
  await turns();
  await meanwhile(given);
  held.open();
  await loading;
  assert.equal(matcher.ids(large), store.ids(large));
  return given;
}

test('a gallery that is being loaded is not dropped for another', async () => {
  const { matcher, store } = await between(150, async ({ store, galleries, matcher }) => {
    for (const gallery of [A, B]) store.add(gallery, ...ids(300, `more ${gallery.appId}`));
    await galleries.ready(A);
    await galleries.ready(B);
    assert.equal(matcher.dropped, ['a'], 'large was used before');
  });
  assert.equal(matcher.loaded(), ['large']);
  assert.is(store.calls.filter(call => call.startsWith('large')).length, 1);
});

test('a gallery dropped between two of its pages is loaded anew, and nobody is refused', async () => {
  const { store } = await between(150, ({ matcher }) => matcher.drop(galleryOf('large')));
  assert.is(store.calls.filter(call => call.startsWith('large')).length, 2);
});

/** Drops the gallery between the catch-up and the search, as the budget does for another request; the first time. */
function dropBeforeSearch(matcher: FakeMatcher): () => number {
  const search = matcher.search.bind(matcher);
  let searches = 0;
  matcher.search = gallery => {
    if (++searches === 1) void matcher.drop(gallery);
    return search(gallery);
  };
  return () => searches;
}

test('a gallery that was dropped just before the search is loaded and searched again', async () => {
  const { matcher, galleries, use } = fresh(4);
  matcher.found = { verdict: 'match', best: { user: 7, distance: 0.1 } };
  await use(A);
  const searches = dropBeforeSearch(matcher);
  const found = await galleries.search(A, []);
  assert.equal([found.verdict, found.sequence, searches()], ['match', 10, 2]);
  const empty = await galleries.search(galleryOf('without anybody'), []);
  assert.equal([empty.verdict, empty.sequence, searches()], ['none', 0, 3]);
});

test('a sign-in is not answered from a gallery that was dropped', async () => {
  const { store, matcher, galleries } = fresh(4);
  matcher.found = { verdict: 'match', best: { user: 7, distance: 0.1 } };
  const searches = dropBeforeSearch(matcher);
  const reached: string[] = [];
  const deps = unlimited({
    galleries,
    signingKeys: { current: async () => null },
    store: {
      takeWindows: async () => ({ taken: true }),
      challengeIsOpen: async () => true,
      recordSignIn: async ({ user }: SignIn) => {
        reached.push(`signed in ${user}`);
        return { outcome: 'plan_limit', used: 0 }; // far enough: no token is wanted here
      },
      recordFailedMatch: async () => {
        reached.push('failed');
        return { outcome: 'recorded' };
      },
    },
  });
  const gallery = { ...A, mode: 'test' as const };
  store.add(gallery, 'a0');
  const caller = { gallery, credential: { app: { plan: 'free' } } } as unknown as Caller;
  const request = { challengeId: 'ch', descriptors: [], encoder: undefined, liveness: undefined };
  await signInByFace(deps, caller, request).catch(() => undefined);
  assert.equal([reached, searches()], [['signed in 7'], 2]);
});

test.run();
