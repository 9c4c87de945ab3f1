/**
 * An import that was interrupted, as every other part of the service meets it: nothing of the app is counted, listed,
 * loaded or erased by age, a restored backup does not bring it, and the daily job removes it.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { lockFile } from '../../src/adapters/journal/instance-lock.ts';
import { copyOf, databaseOf, filesWith, inStore, wrappedKeys } from '../cli/sealed-folder.ts';
import { json, serve, tempFolder, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { APP, counts, folderWith } from './given.ts';

const test = suite('transfer: half an import');
const DAY = 24 * 3_600_000;
let half: string;

/** Whole in its rows, usage and an event included, and without the last step. The people enrolled long ago. */
test.before(async () => {
  const { DATA_DIR } = await folderWith(2);
  half = DATA_DIR;
  const database = new Database(databaseOf(DATA_DIR));
  const month = new Date().toISOString().slice(0, 7);
  database.exec(`UPDATE apps SET importing = 1; UPDATE users SET created_at = ${Date.now() - 2_000 * DAY};
    DELETE FROM auth_events; DELETE FROM usage;
    INSERT INTO usage (app_id, mode, month, auths, enrolls, matches_ok, matches_failed) VALUES ('${APP}', 'live', '${month}', 7, 2, 7, 0);
    INSERT INTO auth_events (id, app_id, mode, user_id, type, at) VALUES ('evt_half', '${APP}', 'live', NULL, 'match', ${Date.now()})`);
  database.close();
});

test('nobody counts, lists or loads it', async () => {
  const settings = copyOf(half);
  const stats = await json(['stats'], settings, within);
  assert.not(JSON.stringify(stats).includes(APP));
  const { users, templates, auths } = stats.total.live;
  assert.equal([users, templates, auths], [0, 0, 0]);
  assert.is(stats.erased_apps, null);
  assert.equal((await json(['stats', '--days', '3'], settings, within)).days, []);
  assert.equal((await json(['events'], settings, within)).events, []);
  const server = await serve(settings);
  try {
    const metrics = await (await fetch(`${server.portal}/metrics`)).text();
    assert.match(metrics, /face_sign_in_/);
    assert.not(metrics.includes(APP));
    const health = await (await fetch(`${server.portal}/health`)).text();
    assert.not(health.includes(APP));
  } finally {
    await server.stop();
  }
  await inStore(settings.DATA_DIR, async store => {
    assert.equal(await store.usedGalleries('2000-01'), []);
  });
});

test('no job erases its people by their age: they would count as erased here', async () => {
  const settings = copyOf(half);
  const release = lockFile(`${databaseOf(settings.DATA_DIR)}.import.lock`);
  try {
    for (const job of ['test-users', 'retention'])
      assert.is((await json(['job', 'run', job], settings)).affected, 0, job);
    assert.is(counts(settings.DATA_DIR).users, 4, 'and an import that is under way is left alone');
  } finally {
    release?.();
  }
});

test('the daily job removes what an import left, its key and bytes too, and doctor is content', async () => {
  const settings = copyOf(half);
  const { DATA_DIR } = settings;
  const before = wrappedKeys(DATA_DIR);
  const database = new Database(databaseOf(DATA_DIR));
  const sealed = database
    .prepare('SELECT users.sealed, templates.sealed FROM users JOIN templates ON user_id = users.id')
    .raw()
    .get() as Buffer[];
  database.close();
  assert.is((await json(['job', 'run', 'retention'], settings, within)).affected, 1);
  const left = counts(DATA_DIR);
  assert.equal(
    Object.values(left).filter(count => count > 0),
    [],
    JSON.stringify(left),
  );
  assert.is(wrappedKeys(DATA_DIR).length, before.length - 1);
  for (const bytes of sealed) assert.equal(filesWith(DATA_DIR, bytes), []);
  const { stdout } = await within(['doctor', '--json'], settings);
  assert.ok(JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'database').ok);
});

test('a restored backup does not bring it, whatever became of the app since', async () => {
  const settings = copyOf(half);
  const backup = join(tempFolder(), 'half.db');
  await json(['backup', backup], settings, within);
  // The import came to its end, and the app was erased again.
  const database = new Database(databaseOf(settings.DATA_DIR));
  database.exec('UPDATE apps SET importing = 0');
  database.close();
  await json(['app', 'delete', APP, '--yes'], settings, within);
  const DATA_DIR = tempFolder();
  for (const name of ['master.key', 'erasures.jsonl'])
    copyFileSync(join(settings.DATA_DIR, name), join(DATA_DIR, name));
  await json(['restore', backup], { DATA_DIR }, within);
  const { apps, users, templates } = counts(DATA_DIR);
  assert.equal([apps, users, templates], [0, 0, 0]);
});

test.run();
