/**
 * The threads that read galleries: what they deliver is the gallery as stored, whatever is written meanwhile; they read
 * ahead by little, leave no opened template behind, and neither their end nor the database's keeps anybody waiting.
 */
import { renameSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { pageRows } from '../../src/adapters/sql/gallery-reader.ts';
import { rekey } from '../../src/domain/rekeying.ts';
import type { GalleryChanges } from '../../src/ports/matcher.ts';
import { type Enrolment, StoreUnavailable } from '../../src/ports/store.ts';
import { templatesOf } from '../../src/ports/template-rows.ts';
import { nextTurn } from '../contract/engine.ts';
import { enrolled, FIRST, LIVE, NOW, SECOND } from '../contract/fixtures.ts';
import { databaseFile } from '../contract/sqlite-engine.ts';
import { suite } from '../support/suite.ts';
import { nicenessOf, people, readerOn, storedSequences } from './gallery-reader-given.ts';

const test = suite('gallery reader');
const check = readerOn(test);

const areZero = (pages: readonly GalleryChanges[]) =>
  pages.every(({ added }) => added.vectors.every(x => x === 0));

/** Waits until something holds, for five seconds. */
async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 5_000 && !holds(); i++) await nextTurn();
  assert.ok(holds());
}

for (const pageSize of [1, 5, 24, 4_096]) {
  check(`pages of ${pageSize} give the templates as stored, in order`, { pageSize }, async given => {
    const { db, store, reader, pages } = given;
    await people(store, 12);
    await enrolled(store, { gallery: { appId: SECOND, mode: 'live' } });
    const whole = templatesOf((await store.galleryChanges(LIVE, 0, 100)).added);
    for (const since of [0, 7, 23, 24]) {
      const found = [];
      let at = since;
      for await (const { from, to, removed, added } of await pages(since)) {
        assert.equal([from, removed], [at, []]);
        assert.ok(to > from && to - from <= pageSize);
        found.push(...templatesOf(added));
        at = to;
      }
      assert.is(at, 24);
      assert.equal(found, whole.slice(since));
      assert.is(await reader.count({ gallery: LIVE, since, to: 24 }), 24 - since);
    }
    assert.equal(
      whole.map(({ sequence }) => sequence),
      await storedSequences(db),
    );
  });
}

check(
  'removals come with the pages of whoever was somewhere before, and with no other',
  { pageSize: 3 },
  async ({ store, pages }) => {
    for (const { user } of (await people(store, 5)).slice(0, 2)) await store.deleteUser(LIVE, user.id, NOW);
    const removedFrom = async (since: number) => {
      const removed: number[] = [];
      for await (const page of await pages(since)) removed.push(...page.removed);
      return removed;
    };
    assert.equal(await removedFrom(4), [1, 2, 3, 4]);
    assert.equal(await removedFrom(0), []);
  },
);

check(
  'what is added and removed while pages are read is in the end as stored',
  { pageSize: 3 },
  async given => {
    const { db, store, pages } = given;
    const other = await db.open();
    const all = await people(store, 20);
    let held: number[] = [];
    let at = 0;
    let read = 0;
    for await (const { from, to, removed, added } of await pages()) {
      assert.is(from, at);
      held = [...held.filter(one => !removed.includes(one)), ...added.sequences];
      at = to;
      if (++read > 6) continue;
      for (const leaver of [all.shift(), all.pop()]) await other.deleteUser(LIVE, leaver?.user.id ?? '', NOW);
      all.push(await enrolled(other));
      await nextTurn();
    }
    assert.is(at, 40, 'up to where the gallery was');
    const { removed, added } = await store.galleryChanges(LIVE, at, 1_000);
    held = [...held.filter(one => !removed.includes(one)), ...added.sequences];
    assert.equal(held, await storedSequences(db));
    assert.is(held.length, 2 * all.length);
  },
);

check('keys that are replaced while pages are read open the rest', { pageSize: 1 }, async given => {
  const { db, store, pages } = given;
  await people(store, 12);
  const whole = templatesOf((await store.galleryChanges(LIVE, 0, 100)).added);
  const other = await db.open();
  const found = [];
  for await (const { added } of await pages()) {
    found.push(...templatesOf(added));
    if (found.length === 3 || found.length === 9)
      assert.is((await rekey({ store: other }, FIRST))?.values, 60);
  }
  assert.equal(found, whole);
});

test('a gallery that is erased between the statements of a page has no such page', async () => {
  let sequence = 2;
  const all = async () => {
    sequence = 0;
  };
  const sql = { all, get: async () => ({ sequence }) } as never;
  assert.is(await pageRows(sql, { gallery: LIVE, since: 0, to: 2 }, false), null);
});

check('a gallery that is erased meanwhile has no more pages', { pageSize: 1 }, async ({ store, pages }) => {
  await people(store, 20);
  let read = 0;
  for await (const page of await pages()) {
    assert.is(page.to, page.from + 1);
    if (++read === 2) await store.deleteApp(FIRST, NOW);
  }
  assert.ok(read >= 2 && read < 15, `${read} pages`);
});

check(
  'a few pages are read ahead, and those that nobody takes are erased',
  { pageSize: 1 },
  async ({ store, delivered, pages }) => {
    await people(store, 30);
    const taking = await pages();
    const first = await taking.next();
    for (let i = 0; i < 50; i++) await nextTurn();
    await until(() => delivered.length === 4);
    assert.not(areZero(delivered.slice(1)), 'opened');
    await taking.return();
    await until(() => areZero(delivered.filter(page => page !== first.value)));
    assert.not(areZero([first.value as GalleryChanges]), 'the one that was taken is its taker’s');
    for (let i = 0; i < 20; i++) await nextTurn();
    assert.is(delivered.length, 4, 'and no more are read');
  },
);

check(
  'a template that does not open is left out of its page, and named',
  { pageSize: 2 },
  async ({ db, store, pages }) => {
    await people(store, 4);
    const writer = new Database(databaseFile(db));
    writer.exec(
      `UPDATE templates SET user_id = (SELECT id FROM users ORDER BY id LIMIT 1) WHERE sequence = 6`,
    );
    writer.close();
    const taking = await pages();
    for (const [to, count, unreadable] of [
      [2, 2, 0],
      [4, 2, 0],
      [6, 1, 1],
      [8, 2, 0],
    ]) {
      const { value } = await taking.next();
      assert.equal([value?.to, value?.added.count, value?.unreadable?.length], [to, count, unreadable]);
    }
    assert.equal(await taking.next(), { value: undefined, done: true });
  },
);

async function unavailable(promise: Promise<unknown>): Promise<void> {
  const error = await promise.then(
    () => 'resolved',
    (reason: unknown) => reason,
  );
  assert.instance(error, StoreUnavailable, String(error));
}

check(
  'a database file that was moved or replaced is not read in its place',
  {},
  async ({ db, store, pages }) => {
    await people(store, 2);
    const path = databaseFile(db);
    const taking = await pages();
    const missing = await pages();
    renameSync(path, `${path}.away`);
    await unavailable(taking.next());
    writeFileSync(path, '');
    await unavailable(missing.next());
    renameSync(`${path}.away`, path);
    assert.is((await (await pages()).next()).value?.added.count, 4);
  },
);

check(
  'a thread that ends by itself fails what it had to do; the next call has a new one',
  { pageSize: 1 },
  async ({ store, threads, pages }) => {
    await people(store, 100);
    const taking = await pages();
    await taking.next();
    const rest = async () => {
      for await (const _ of taking);
    };
    // Pages are asked for all the while, so that the threads end with some of it undone.
    const failed = unavailable(rest());
    await Promise.all(threads.map(thread => thread.terminate()));
    await failed;
    let read = 0;
    for await (const { added } of await pages()) read += added.count;
    assert.is(read, 200);
  },
);

check(
  'threads end when there is nothing to do, and come back',
  { pageSize: 1, idleMs: 30 },
  async ({ store, threads, pages }) => {
    await people(store, 3);
    for (let round = 1; round <= 2; round++) {
      const before = threads.length;
      let read = 0;
      for await (const { added } of await pages()) read += added.count;
      assert.is(read, 6);
      const started = threads.slice(before);
      assert.ok(started.length >= 1 && started.length <= 2, `${started.length} threads`);
      const ends = started.map(thread => new Promise<number>(done => thread.once('exit', done)));
      assert.equal(
        await Promise.all(ends),
        ends.map(() => 0),
      );
    }
  },
);

check(
  'searches have one thread of their own, which on Linux leaves the processor to others',
  {},
  async ({ store, reader, keys, threads, pages }) => {
    await people(store, 3);
    for await (const _ of await pages());
    const loading = threads.length;
    const search = { gallery: LIVE, contains: 'e', after: null, limit: 10, order: 'newest' } as const;
    const found = await Promise.all([1, 2, 3].map(() => reader.searchUsers(search, keys)));
    for (const users of found) assert.is(users.length, 3);
    assert.is(threads.length, loading + 1);
    if (process.platform !== 'linux') return;
    assert.equal(nicenessOf('user-search'), [10]);
    assert.ok(nicenessOf('gallery-reader').every(nice => nice === 0));
  },
);

check(
  'closing ends the threads, erases what they still deliver and refuses who waits',
  { pageSize: 1 },
  async ({ store, reader, threads, delivered, pages }) => {
    await people(store, 20);
    const taking = await pages();
    await taking.next();
    const count = reader.count({ gallery: LIVE, since: 0, to: 40 });
    const taken = delivered.length;
    const ends = threads.map(thread => new Promise<number>(done => thread.once('exit', done)));
    await Promise.all([reader.close(), unavailable(count)]);
    assert.equal(
      await Promise.all(ends),
      ends.map(() => 0),
      'by themselves',
    );
    const rest = async () => {
      for await (const { added } of taking) added.vectors.fill(0);
    };
    await unavailable(rest());
    await until(() => areZero(delivered.slice(taken)));
    await unavailable(reader.count({ gallery: LIVE, since: 0, to: 40 }));
  },
);

check(
  'users are deleted, to the last byte in the log, while pages are read',
  { pageSize: 2 },
  async ({ db, store, pages }) => {
    const all = await people(store, 60);
    const [leaver] = all.splice(30, 1) as [Enrolment];
    const rows = await db.rows<{ sealed: Buffer }>(
      `SELECT sealed FROM templates WHERE user_id = '${leaver.user.id}'`,
    );
    let deleted: Promise<boolean> | undefined;
    for await (const _ of await pages()) deleted ??= store.deleteUser(LIVE, leaver.user.id, NOW);
    assert.is(await deleted, true);
    const bytes = await db.bytes();
    assert.is(rows.length, 2);
    for (const { sealed } of rows) assert.not(bytes.includes(sealed));
  },
);

test.run();
