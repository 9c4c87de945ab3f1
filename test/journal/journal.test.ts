/** Tier 4, the journal of erasures: it names all who were erased, by hashes alone, whatever happens around it. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { addErasures, reachOf, readErasures } from '../../src/adapters/journal/erasure-journal.ts';
import { pruneJournal } from '../../src/adapters/journal/prune-journal.ts';
import { ROWS } from '../../src/adapters/sql/scope.ts';
import { writeAndForget } from '../../src/adapters/sql/store/context.ts';
import { erase } from '../../src/adapters/sql/store/erasure.ts';
import { StoreUnavailable } from '../../src/ports/store.ts';
import { contractOn, type TestDatabase } from '../contract/engine.ts';
import { deleteUser, enrolled, LIVE, NOW, OTHER, SECOND } from '../contract/fixtures.ts';
import { sqliteEngine } from '../contract/sqlite-engine.ts';
import { suite } from '../support/suite.ts';

const fileOf = (db: TestDatabase) => join(db.address, 'erasures.jsonl');
const hashes = (db: TestDatabase) => readErasures(fileOf(db)).map(({ hash }) => hash);

const test = suite('journal of erasures');
const check = contractOn(test, sqliteEngine);

check('each erased user and app has a line with the time, and no line has an id', async ({ db, store }) => {
  const first = await enrolled(store);
  const second = await enrolled(store, { gallery: OTHER });
  await deleteUser(store, LIVE, first.user.id, NOW + 1);
  await store.deleteUsers([{ gallery: OTHER, id: second.user.id }], NOW + 2);
  await store.deleteApp(SECOND, NOW + 3);
  assert.is(await deleteUser(store, LIVE, first.user.id, NOW + 4), 0);
  const erasures = readErasures(fileOf(db));
  assert.equal(
    erasures.map(({ at }) => at),
    [NOW + 1, NOW + 2, NOW + 3],
  );
  assert.is(new Set(erasures.map(({ hash }) => hash)).size, 3);
  const text = readFileSync(fileOf(db), 'utf8');
  for (const id of [first.user.id, second.user.id, SECOND]) assert.not(text.includes(id), id);
});

check(
  'what is older than it is kept goes from table and journal, which says how far it reaches',
  async given => {
    const { db, store } = given;
    const at: Record<string, number> = { usr_old: NOW, usr_edge: NOW + 10, usr_new: NOW + 20 };
    for (const id of Object.keys(at)) await enrolled(store, { id });
    for (const [id, moment] of Object.entries(at)) await deleteUser(store, LIVE, id, moment);
    const [old, edge, recent] = hashes(db);
    assert.is(await store.prune('erasures', NOW, 1), 0);
    assert.is(reachOf(fileOf(db)), NOW, 'nothing is gone since the database was made');
    assert.is(await store.prune('erasures', NOW + 10, 1), 1);
    assert.equal(hashes(db), [edge, recent]);
    assert.equal(
      (await db.rows<{ hash: string }>('SELECT hash FROM erasures ORDER BY erased_at')).map(row => row.hash),
      [edge, recent],
    );
    assert.not(readFileSync(fileOf(db), 'utf8').includes(String(old)));
    assert.is(reachOf(fileOf(db)), NOW + 10);
    assert.is(statSync(fileOf(db)).mode & 0o777, 0o600);
    assert.equal(await db.rows("SELECT value FROM meta WHERE name = 'erasures_reach'"), [
      { value: String(NOW + 10) },
    ]);
    // Further erasures follow, and the reach never goes back.
    await enrolled(store, { id: 'usr_later' });
    await deleteUser(store, LIVE, 'usr_later', NOW + 30);
    assert.is(hashes(db).length, 3);
    assert.is(await store.prune('erasures', NOW + 11, 1), 1);
    assert.is(await store.prune('erasures', NOW, 1), 0);
    assert.equal([reachOf(fileOf(db)), hashes(db).length], [NOW + 11, 2]);
  },
);

check('what is not in the journal yet is not forgotten', async ({ db, store }) => {
  const { user } = await enrolled(store);
  mkdirSync(fileOf(db));
  await deleteUser(store, LIVE, user.id, NOW).catch(() => undefined);
  rmdirSync(fileOf(db));
  assert.is(await store.prune('erasures', NOW + 1, 1), 0);
  await store.settleErasures();
  assert.is(hashes(db).length, 1);
});

check('while lines are taken out, others add theirs, and none of them is lost', async ({ db }) => {
  const file = fileOf(db);
  const line = (i: number, at: number) => ({ hash: `hash-${String(i).padStart(5, '0')}`, at });
  let next = 0;
  const added: string[] = [];
  const add = async (at: number) => {
    const one = line(next++, at);
    await addErasures(file, [one]);
    if (at >= NOW) added.push(one.hash);
  };
  for (let round = 0; round < 60; round++) {
    await add(NOW - 1);
    await Promise.all([pruneJournal(file, NOW), ...Array.from({ length: 6 }, () => add(NOW + round))]);
  }
  await pruneJournal(file, NOW);
  assert.equal([...new Set(hashes(db))].sort(), added.sort());
  assert.ok(!existsSync(`${file}.previous`));
});

check('who adds to a journal that is replaced in that moment adds to the new one', async ({ db }) => {
  const file = fileOf(db);
  // The replacement comes a little later in every round: before the file is opened, while it is written, and after.
  for (let round = 0; round < 120; round++) {
    await addErasures(file, [{ hash: 'first', at: NOW }]);
    const adding = addErasures(file, [{ hash: `hash ${round}`, at: NOW }]);
    for (let turn = 0; turn < round % 12; turn++) await new Promise(next => setImmediate(next));
    copyFileSync(file, `${file}.draft`);
    renameSync(`${file}.draft`, file);
    await adding;
    assert.ok(hashes(db).includes(`hash ${round}`), `round ${round}`);
  }
});

check('a line that was added to the journal of before is taken over, also after a crash', async ({ db }) => {
  const file = fileOf(db);
  await addErasures(file, [
    { hash: 'old', at: NOW - 1 },
    { hash: 'kept', at: NOW },
  ]);
  // As a crash leaves it: the journal is the new one, and somebody has added to the one of before.
  linkSync(file, `${file}.previous`);
  writeFileSync(`${file}.draft`, `${JSON.stringify({ reaches: new Date(NOW).toISOString() })}\n`);
  renameSync(`${file}.draft`, file);
  await addErasures(`${file}.previous`, [{ hash: 'added', at: NOW + 1 }]);
  await pruneJournal(file, NOW);
  assert.equal(hashes(db), ['kept', 'added']);
  assert.ok(!existsSync(`${file}.previous`));
  assert.is(reachOf(file), NOW);
});

check('40 erased at once are 40 lines, each once', async ({ db, store }) => {
  const people = [];
  for (let i = 0; i < 40; i++) people.push(await enrolled(store));
  await Promise.all(people.map(({ user }) => deleteUser(store, LIVE, user.id, NOW)));
  assert.is(hashes(db).length, 40);
  assert.is(new Set(hashes(db)).size, 40);
});

check('a journal that cannot be written: the caller is told, and it is completed later', async given => {
  const { db, store } = given;
  const { user } = await enrolled(store);
  mkdirSync(fileOf(db));
  const fault = await deleteUser(store, LIVE, user.id, NOW).catch(error => error);
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
  await deleteUser(store, LIVE, user.id, NOW).catch(() => undefined);
  rmdirSync(fileOf(db));
  await db.open();
  assert.is(hashes(db).length, 1);
});

check('a line that a crash has cut short spoils no other', async ({ db, store }) => {
  const people = [await enrolled(store), await enrolled(store)];
  await deleteUser(store, LIVE, people[0]?.user.id ?? '', NOW);
  appendFileSync(fileOf(db), '{"at":"2026-03-15T12:0');
  await deleteUser(store, LIVE, people[1]?.user.id ?? '', NOW);
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
  const fault = await erase(context, ROWS, async () => 1).catch(error => error);
  assert.instance(fault, StoreUnavailable);
  assert.ok(ended, 'something still writes');
});

test('what is remembered is forgotten after a write that failed, since it may stand', async () => {
  let forgotten = 0;
  const driver = { write: () => Promise.reject(new StoreUnavailable('disk')) };
  const memory = { forget: () => (forgotten += 1) };
  const context = { driver, memory } as unknown as Parameters<typeof writeAndForget>[0];
  const fault = await writeAndForget(context, ROWS, async () => 1).catch(error => error);
  assert.instance(fault, StoreUnavailable);
  assert.is(forgotten, 1);
});

test.run();
