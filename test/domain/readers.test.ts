/** Readers who wait in a feed: what wakes them, what ends their waiting, how many may, and what that costs the store. */
import * as assert from 'uvu/assert';
import { createReaders, type Found } from '../../src/domain/feeds/readers.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { GalleryKey } from '../../src/ports/matcher.ts';
import type { RevocationPlace } from '../../src/ports/store.ts';
import { soon } from '../support/client.ts';
import { suite } from '../support/suite.ts';

const test = suite('readers of feeds');
const LONG = 25;

function made() {
  const heads = new Map<string, number>();
  const asked: (readonly GalleryKey[])[] = [];
  const store = { all: 0, fault: null as Error | null };
  const outboxPlaces = async (galleries: readonly GalleryKey[]) => {
    asked.push(galleries);
    if (store.fault) throw store.fault;
    return galleries.map(({ appId }) => ({ seq: heads.get(appId) ?? 0, all: store.all }));
  };
  const readers = createReaders({ outboxPlaces }, () => performance.now());
  return {
    heads,
    asked,
    store,
    readers,
    /** A reader who finds an event when its app has told one that counts. */
    reader(
      appId = 'a',
      { keyId = 'key', seconds = LONG, from = 0, every = 1, requireKey = async () => {} } = {},
    ) {
      const gone = new AbortController();
      let reads = 0;
      const read = async (place: RevocationPlace | null): Promise<Found<number>> => {
        reads++;
        const seen = place?.seq ?? from;
        const head = Math.max(seen, heads.get(appId) ?? 0);
        const isEmpty = Math.floor(head / every) === Math.floor(seen / every);
        return { answer: head, isEmpty, seen: { seq: head, all: Number.POSITIVE_INFINITY } };
      };
      const caller = { gallery: { appId, mode: 'live' as const }, keyId, requireKey };
      const answer = readers.read(caller, { seconds, gone: gone.signal }, read);
      return { answer, leave: () => gone.abort(), reads: () => reads };
    },
  };
}

const pause = (ms: number) => new Promise(done => setTimeout(done, ms));
const refusal = (answer: Promise<unknown>) =>
  answer.then(
    () => null,
    (error: Refusal) => [error.code, error.extras.retryAfter],
  );

test('what is there is answered at once, and so is a reader who does not wait', async () => {
  const { reader, heads, asked } = made();
  assert.is(await reader('a', { seconds: 0 }).answer, 0);
  heads.set('a', 3);
  assert.is(await reader().answer, 3);
  await pause(300);
  assert.equal(asked, [], 'nobody waits, so nothing is looked for');
});

test('an event wakes those who wait for its app, and one read serves all who wait', async () => {
  const { reader, heads, asked, readers } = made();
  const others = ['b', 'c'].map(app => reader(app));
  const waiting = [reader(), reader(), reader('a', { keyId: 'other' })];
  await soon(async () => asked.length > 1, 'looks');
  for (const look of asked) assert.equal(look.map(({ appId }) => appId).sort(), ['a', 'b', 'c']);
  heads.set('a', 7);
  assert.equal(await Promise.all(waiting.map(({ answer }) => answer)), [7, 7, 7]);
  for (const other of others) assert.is(other.reads(), 1, 'nothing came for them');
  readers.close();
  assert.equal(await Promise.all(others.map(({ answer }) => answer)), [0, 0]);
});

test('what came between the first look and the waiting wakes too', async () => {
  const { reader, heads } = made();
  const { answer } = reader();
  heads.set('a', 1);
  assert.is(await answer, 1);
});

test('events of other types neither end the waiting nor make it spin', async () => {
  const { reader, heads, asked } = made();
  const filtered = reader('a', { every: 10 });
  for (const head of [1, 2, 3]) {
    heads.set('a', head);
    await soon(async () => filtered.reads() === head + 1, `read ${head}`);
    const looks = asked.length;
    await soon(async () => asked.length > looks + 1, 'further looks');
    assert.is(filtered.reads(), head + 1, 'one read for each change');
  }
  heads.set('a', 10);
  assert.is(await filtered.answer, 10);
});

test('a revocation of all tokens wakes whoever has not seen it', async () => {
  const { asked, readers, store } = made();
  let reads = 0;
  const caller = { gallery: { appId: 'a', mode: 'live' as const }, keyId: 'key', requireKey: async () => {} };
  const wait = { seconds: LONG, gone: new AbortController().signal };
  const answer = readers.read(caller, wait, async () => {
    reads++;
    return { answer: store.all, isEmpty: store.all === 0, seen: { seq: 0, all: store.all } };
  });
  await soon(async () => asked.length > 1, 'looks');
  store.all = 5;
  assert.equal([await answer, reads], [5, 2]);
});

test('when the time is over, the answer is empty and new', async () => {
  const { reader, asked } = made();
  const { answer, reads } = reader('a', { seconds: 1 });
  assert.is(await answer, 0);
  assert.is(reads(), 2);
  const looks = asked.length;
  await pause(500);
  assert.is(asked.length, looks, 'nobody waits any more');
});

test('while the store is away readers wait, and its return wakes them', async () => {
  const { heads, reader, store } = made();
  store.fault = new Error('away');
  const [short, long] = [reader('a', { seconds: 1 }), reader()];
  assert.is(await short.answer, 0, 'the last read decides');
  store.fault = null;
  heads.set('a', 2);
  assert.is(await long.answer, 2);
});

test('ten of a key wait, whatever they read; the eleventh is told when to come again, and may read', async () => {
  const { reader, heads, readers } = made();
  const ten = Array.from({ length: 10 }, (_, n) => reader(n % 2 === 0 ? 'a' : 'b'));
  assert.equal(await refusal(reader().answer), ['rate_limited', 5_000]);
  assert.is(await reader('a', { seconds: 0 }).answer, 0);
  const other = reader('c', { keyId: 'other' });
  ten[0]?.leave();
  await ten[0]?.answer;
  const next = reader('c');
  heads.set('c', 1);
  assert.equal(await Promise.all([next.answer, other.answer]), [1, 1]);
  readers.close();
  await Promise.all(ten.map(({ answer }) => answer));
});

test('who has left is forgotten, and reads no more', async () => {
  const { reader, asked, heads } = made();
  const left = reader();
  await soon(async () => asked.length > 0, 'looks');
  left.leave();
  await left.answer;
  heads.set('a', 1);
  const looks = asked.length;
  await pause(500);
  assert.equal([left.reads(), asked.length], [1, looks]);
});

test('a key is looked at again when its reader has waited, and only then', async () => {
  const { reader, heads } = made();
  let looks = 0;
  const requireKey = async () => {
    looks++;
    throw new Refusal('unauthorized', 'revoked');
  };
  assert.is(await reader('a', { seconds: 0, requireKey }).answer, 0);
  assert.is(looks, 0);
  const { answer } = reader('a', { requireKey });
  heads.set('a', 1);
  assert.equal(await refusal(answer), ['unauthorized', undefined]);
});

test('after the end nobody waits', async () => {
  const { reader, readers } = made();
  const waiting = reader();
  readers.close();
  assert.equal([await waiting.answer, await reader().answer], [0, 0]);
});

test.run();
