/**
 * Copies that the engine leaves when it moves rows: here planted by hand, in space of the file that holds no row, and
 * gone after a rebuild.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { compactor } from '../../src/adapters/sqlite/compaction.ts';
import type { Store } from '../../src/ports/store.ts';
import { contractOn, type TestDatabase } from '../contract/engine.ts';
import { deleteUser, enrolled, FIRST, LIVE, NOW } from '../contract/fixtures.ts';
import { databaseFile, sqliteEngine } from '../contract/sqlite-engine.ts';
import type { Suite } from '../support/suite.ts';

const COPY = 'copy-of-a-moved-row';
const PAGE = 4_096;

/** Into the free middle of the last page that is a leaf of a table, with nothing open on the file. */
function plantCopy(path: string): void {
  const bytes = readFileSync(path);
  for (let page = bytes.length / PAGE - 1; page > 0; page--) {
    const at = page * PAGE;
    const content = bytes.readUInt16BE(at + 5);
    const free = at + 8 + 2 * bytes.readUInt16BE(at + 3);
    if (bytes[at] !== 0x0d || at + content - free < COPY.length) continue;
    const file = openSync(path, 'r+');
    writeSync(file, COPY, free);
    closeSync(file);
    return;
  }
  throw new Error('no page has room for a copy');
}

const hasCopy = (path: string) => readFileSync(path).includes(COPY);

async function sealedOf(db: TestDatabase, userId: string): Promise<Buffer> {
  const [row] = await db.rows<{ sealed: Uint8Array }>(
    `SELECT sealed FROM templates WHERE user_id = '${userId}'`,
  );
  return Buffer.from((row as { sealed: Uint8Array }).sealed);
}

/** A database that nobody has open, with a copy in it. */
async function withCopy(db: TestDatabase): Promise<string> {
  const path = databaseFile(db);
  const store = await db.open();
  for (let i = 0; i < 20; i++) await enrolled(store);
  await store.close();
  plantCopy(path);
  assert.ok(hasCopy(path), 'found before');
  const database = new Database(path, { readonly: true });
  assert.is(database.pragma('integrity_check', { simple: true }), 'ok', 'the copy is in free space');
  database.close();
  return path;
}

export function sqliteCompaction(test: Suite): void {
  const check = contractOn(test, sqliteEngine);

  check('an erasure in a small database takes copies of moved rows with it', async ({ db, store }) => {
    await store.close();
    const path = await withCopy(db);
    const again = await db.open();
    const { user } = await enrolled(again);
    assert.ok(hasCopy(path));
    await deleteUser(again, LIVE, user.id, NOW);
    assert.not(hasCopy(path));
  });

  check('one that follows at once leaves it to later, at the latest to the close', async ({ db, store }) => {
    const people = [];
    for (let i = 0; i < 20; i++) people.push((await enrolled(store)).user.id);
    await deleteUser(store, LIVE, people[0] ?? '', NOW);
    await deleteUser(store, LIVE, people[1] ?? '', NOW);
    plantCopy(databaseFile(db));
    await store.close();
    assert.not(hasCopy(databaseFile(db)));
  });

  check('what a killed process owed is done by the next one', async ({ db, store }) => {
    const { user } = await enrolled(store);
    for (let i = 0; i < 20; i++) await enrolled(store);
    await deleteUser(store, LIVE, user.id, NOW);
    plantCopy(databaseFile(db));
    const next = await db.open();
    await next.settleErasures();
    assert.not(hasCopy(databaseFile(db)));
  });

  for (const [who, end] of [
    ['another process', (store: Store) => store.finishErasures()],
    ['who asks again', (store: Store) => store.deleteApp(FIRST, NOW)],
  ] as const)
    check(`an app whose deletion was interrupted is erased to the bytes by ${who}`, async ({ db, store }) => {
      const { user } = await enrolled(store);
      const row = await sealedOf(db, user.id);
      const path = databaseFile(db);
      const interrupted = new Database(path);
      interrupted.exec(`UPDATE apps SET importing = 2 WHERE id = '${FIRST}'`);
      interrupted.close();
      assert.ok(readFileSync(path).includes(row) || readFileSync(`${path}-wal`).includes(row));
      const next = await db.open();
      await end(next);
      assert.equal(await db.rows(`SELECT id FROM apps WHERE id = '${FIRST}'`), []);
      assert.not((await db.bytes()).includes(row));
    });

  check('the daily rebuild is made when something was erased since the last one', async ({ db, store }) => {
    const { user } = await enrolled(store);
    assert.is(await store.file?.compactAfterErasures(NOW), false);
    await deleteUser(store, LIVE, user.id, NOW + 1);
    await store.close();
    const path = await withCopy(db);
    const again = await db.open();
    assert.is(await again.file?.compactAfterErasures(NOW + 2), true);
    assert.not(hasCopy(path));
    assert.is(await again.file?.compactAfterErasures(NOW + 3), false);
  });

  check('rebuilds are spaced, and one run serves all that wait for it', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const compaction = compactor(databaseFile(db), 0);
    assert.not(compaction.due());
    await compaction.afterErasure();
    assert.not(compaction.owed());
    await compaction.afterErasure();
    assert.ok(compaction.owed());
    while (!compaction.due()) await new Promise(next => setTimeout(next, 5));
    await Promise.all([compaction.run(), compaction.run(), compaction.run()]);
    assert.not(compaction.owed());
    assert.ok(await store.findUser(LIVE, { id: user.id }));
  });

  check('a rebuild that fails is owed', async ({ db }) => {
    const compaction = compactor(`${databaseFile(db)}-none`, 0);
    const fault = await compaction.run().catch(error => error);
    assert.instance(fault, Error);
    assert.ok(compaction.owed());
  });
}
