/** What operators are told of a database in a file: sizes, what waits, and whether it takes writes. */
import { mkdirSync, renameSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { compactor } from '../../src/adapters/sqlite/compaction.ts';
import { type Store, StoreUnavailable } from '../../src/ports/store.ts';
import type { FileFigures } from '../../src/ports/upkeep.ts';
import { contractOn } from '../contract/engine.ts';
import { appRecord, deleteUser, enrolled, LIVE, NOW } from '../contract/fixtures.ts';
import { databaseFile, sqliteEngine } from '../contract/sqlite-engine.ts';
import type { Suite } from '../support/suite.ts';

const failed = (error: unknown) => error;

async function sizes(store: Store): Promise<FileFigures> {
  const { file } = await store.figures();
  assert.ok(file, 'it is a file');
  return file as FileFigures;
}

export function sqliteFigures(test: Suite): void {
  const check = contractOn(test, sqliteEngine);

  check('sizes are those of the files', async ({ db, store }) => {
    const { bytes, logBytes } = await sizes(store);
    assert.is(bytes, statSync(databaseFile(db)).size);
    assert.is(logBytes, statSync(`${databaseFile(db)}-wal`).size);
    await store.ping('writing');
    assert.ok((await sizes(store)).logBytes > logBytes, 'a probe is a real write');
  });

  check('writes that wait are counted until they are durable', async ({ db, store }) => {
    assert.is((await store.figures()).writesWaiting, 0);
    const holder = new Database(databaseFile(db));
    holder.exec('BEGIN IMMEDIATE');
    const first = store.createApp(appRecord('app_late'));
    await new Promise(resolve => setTimeout(resolve, 20));
    const more = [store.ping('writing'), store.ping('writing')];
    assert.is((await store.figures()).writesWaiting, 3);
    holder.exec('ROLLBACK');
    holder.close();
    await Promise.all([first, ...more]);
    assert.is((await store.figures()).writesWaiting, 0);
  });

  check(
    'a probe fails while the database does not take writes, and not afterwards',
    async ({ db, store }) => {
      const file = databaseFile(db);
      renameSync(file, `${file}.away`);
      assert.instance(await store.ping('writing').catch(failed), StoreUnavailable);
      renameSync(`${file}.away`, file);
      await store.ping('writing');
    },
  );

  check('erasures that the journal lacks are counted', async ({ db, store }) => {
    const { user } = await enrolled(store);
    const journal = join(db.address, 'erasures.jsonl');
    mkdirSync(journal);
    assert.instance(await deleteUser(store, LIVE, user.id, NOW).catch(failed), StoreUnavailable);
    assert.is((await store.figures()).unjournaled, 1);
    rmdirSync(journal);
    await store.settleErasures();
    assert.is((await store.figures()).unjournaled, 0);
  });

  check('a rebuild that failed is reported until one has succeeded', async ({ db, store }) => {
    assert.is((await sizes(store)).rebuildFails, false);
    const file = join(db.address, 'other.db');
    writeFileSync(file, 'not a database, though there is a file with some bytes in it');
    const rebuilt = compactor(file);
    assert.instance(await rebuilt.run().catch(failed), Error);
    assert.is(rebuilt.fails(), true);
    writeFileSync(file, '');
    await rebuilt.run();
    assert.is(rebuilt.fails(), false);
  });
}
