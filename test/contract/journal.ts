/** Tier 4, the journal of erasures: it names all who were erased, by hashes alone, whatever happens around it. */
import { appendFileSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { readErasures } from '../../src/adapters/sql/erasure-journal.ts';
import { writeAndForget } from '../../src/adapters/sql/store/context.ts';
import { erase } from '../../src/adapters/sql/store/erasure.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import type { Suite } from '../support/suite.ts';
import { contractOn, type Engine, type TestDatabase } from './engine.ts';
import { enrolled, LIVE, NOW, OTHER, SECOND } from './fixtures.ts';

const fileOf = (db: TestDatabase) => join(db.address, 'erasures.jsonl');
const hashes = (db: TestDatabase) => readErasures(fileOf(db)).map(({ hash }) => hash);

export function journal(test: Suite, engine: Engine): void {
  const check = contractOn(test, engine);

  check(
    'each erased user and app has a line with the time, and no line tells an id',
    async ({ db, store }) => {
      const first = await enrolled(store);
      const second = await enrolled(store, { gallery: OTHER });
      await store.deleteUser(LIVE, first.user.id, NOW + 1);
      await store.deleteUsers([{ gallery: OTHER, id: second.user.id }], NOW + 2);
      await store.deleteApp(SECOND, NOW + 3);
      assert.is(await store.deleteUser(LIVE, first.user.id, NOW + 4), false);
      const erasures = readErasures(fileOf(db));
      assert.equal(
        erasures.map(({ at }) => at),
        [NOW + 1, NOW + 2, NOW + 3],
      );
      assert.is(new Set(erasures.map(({ hash }) => hash)).size, 3);
      const text = readFileSync(fileOf(db), 'utf8');
      for (const id of [first.user.id, second.user.id, SECOND]) assert.not(text.includes(id), id);
    },
  );

  check('40 erased at once are 40 lines, each once', async ({ db, store }) => {
    const people = [];
    for (let i = 0; i < 40; i++) people.push(await enrolled(store));
    await Promise.all(people.map(({ user }) => store.deleteUser(LIVE, user.id, NOW)));
    assert.is(hashes(db).length, 40);
    assert.is(new Set(hashes(db)).size, 40);
  });

  check('a journal that cannot be written: the caller is told, and it is completed later', async given => {
    const { db, store } = given;
    const { user } = await enrolled(store);
    mkdirSync(fileOf(db));
    const fault = await store.deleteUser(LIVE, user.id, NOW).catch(error => error);
    assert.instance(fault, StoreUnavailable);
    await store.settleErasures().catch(() => undefined);
    rmdirSync(fileOf(db));
    await store.settleErasures();
    assert.is(hashes(db).length, 1);
    await store.settleErasures();
    assert.is(hashes(db).length, 1, 'once');
  });

  check('what a crash kept from the journal is there after the next start', async ({ db, store }) => {
    const { user } = await enrolled(store);
    mkdirSync(fileOf(db));
    await store.deleteUser(LIVE, user.id, NOW).catch(() => undefined);
    rmdirSync(fileOf(db));
    await db.open();
    assert.is(hashes(db).length, 1);
  });

  check('a line that a crash has cut short spoils no other', async ({ db, store }) => {
    const people = [await enrolled(store), await enrolled(store)];
    await store.deleteUser(LIVE, people[0]?.user.id ?? '', NOW);
    appendFileSync(fileOf(db), '{"at":"2026-03-15T12:0');
    await store.deleteUser(LIVE, people[1]?.user.id ?? '', NOW);
    assert.is(hashes(db).length, 2);
  });

  test('a journal that cannot be written: the caller is told when the scrubbing has ended as well', async () => {
    let ended = false;
    const context = {
      driver: {
        write: () => Promise.resolve(1),
        scrub: () =>
          delay(20).then(() => {
            ended = true;
          }),
      },
      memory: { forget: () => undefined },
      writeJournal: () => Promise.reject(new StoreUnavailable('journal')),
    } as unknown as Parameters<typeof erase>[0];
    const fault = await erase(context, async () => 1).catch(error => error);
    assert.instance(fault, StoreUnavailable);
    assert.ok(ended, 'something still writes');
  });

  test('what is remembered is forgotten after a write that failed, since it may stand', async () => {
    let forgotten = 0;
    const driver = { write: () => Promise.reject(new StoreUnavailable('disk')) };
    const memory = { forget: () => (forgotten += 1) };
    const context = { driver, memory } as unknown as Parameters<typeof writeAndForget>[0];
    const fault = await writeAndForget(context, async () => 1).catch(error => error);
    assert.instance(fault, StoreUnavailable);
    assert.is(forgotten, 1);
  });
}
