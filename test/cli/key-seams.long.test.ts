/**
 * Changes of keys where they meet other commands: a person's export and a backup between two versions of a key, and a
 * restore beside the traces of a rotation.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { openKeyed } from '../../src/adapters/sqlite/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { FIRST_PLACE } from '../../src/ports/store.ts';
import { type Env, json, serve, tempFolder, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { APP, contents, copyOf, databaseOf, inStore, sealedFolder, versionsOf } from './sealed-folder.ts';

const test = suite('cli: changes of keys, and other commands');
let sample: Awaited<ReturnType<typeof sealedFolder>>;
let before: unknown;

test.before(async () => {
  sample = await sealedFolder();
  before = await contents(sample.DATA_DIR);
});

/** Live templates are under the second key, those of test mode under the first. */
async function between(): Promise<Env & { DATA_DIR: string }> {
  const settings = copyOf(sample.DATA_DIR);
  await inStore(settings.DATA_DIR, async store => {
    await store.beginRekey(APP);
    await store.reseal(APP, FIRST_PLACE, 6);
  });
  assert.equal(versionsOf(settings.DATA_DIR, APP), [1, 2]);
  return settings;
}

async function failedChecks(settings: Env): Promise<string[]> {
  const { stdout } = await within(['doctor', '--json'], settings);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean }[] };
  return checks.filter(({ ok }) => !ok).map(({ name }) => name);
}

async function vectorsOf(settings: Env & { DATA_DIR: string }): Promise<unknown[]> {
  const documents: unknown[] = [];
  for (const mode of ['live', 'test'] as const) {
    const users = await inStore(settings.DATA_DIR, store => store.listUsers({ appId: APP, mode }, null, 9));
    for (const { user } of users)
      documents.push((await json(['user', 'export', user.id, '--templates'], settings, within)).templates);
  }
  return documents;
}

test('a person is exported alike before, between and after', async () => {
  const wanted = await vectorsOf(copyOf(sample.DATA_DIR));
  assert.ok(wanted.length >= 6 && JSON.stringify(wanted).length > 6 * 128);
  const settings = await between();
  assert.equal(await vectorsOf(settings), wanted);
  await json(['app', 'rekey', '--app', APP], settings, within);
  await json(['master-secret', 'rotate', '--yes'], settings, within);
  assert.equal(await vectorsOf(settings), wanted);
});

test('a backup from between two keys is restored, told by doctor, and ended by the job', async () => {
  const settings = await between();
  const backup = join(tempFolder(), 'between.db');
  await json(['backup', backup], settings, within);
  await json(['app', 'rekey', '--app', APP], settings, within);
  const DATA_DIR = tempFolder();
  copyFileSync(join(settings.DATA_DIR, 'master.key'), join(DATA_DIR, 'master.key'));
  await json(['restore', backup, '--accept-gap'], { DATA_DIR }, within);
  assert.equal(await contents(DATA_DIR), before);
  assert.ok((await failedChecks({ DATA_DIR })).includes('data keys'));
  await json(['job', 'run', 'data-keys'], { DATA_DIR }, within);
  assert.equal(versionsOf(DATA_DIR, APP), [2]);
  assert.not.ok((await failedChecks({ DATA_DIR })).includes('data keys'));
  assert.equal(await contents(DATA_DIR), before);
});

test('a restore beside the secret that was to follow: the one that fits stays', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const backup = join(tempFolder(), 'whole.db');
  await json(['backup', backup], settings, within);
  const right = readFileSync(join(settings.DATA_DIR, 'master.key'), 'utf8').trim();
  const other = Buffer.alloc(32, 5).toString('base64url');
  for (const [key, next] of [
    [right, other],
    [other, right],
  ] as const) {
    const DATA_DIR = tempFolder();
    writeFileSync(join(DATA_DIR, 'master.key'), key, { mode: 0o600 });
    writeFileSync(join(DATA_DIR, 'master.key.next'), next, { mode: 0o600 });
    await json(['restore', backup, '--accept-gap'], { DATA_DIR }, within);
    assert.equal(await contents(DATA_DIR), before);
    assert.not.ok(existsSync(join(DATA_DIR, 'master.key.next')));
    assert.is(readFileSync(join(DATA_DIR, 'master.key'), 'utf8').trim(), right);
    assert.not.ok((await failedChecks({ DATA_DIR })).includes('master secret'));
  }
});

test('a server that starts between two keys ends the change by itself', async () => {
  const settings = await between();
  const server = await serve(settings);
  try {
    for (let i = 0; versionsOf(settings.DATA_DIR, APP).length > 1; i++) {
      assert.ok(i < 500, 'the job of the start ends it');
      await new Promise(turn => setTimeout(turn, 20));
    }
    assert.equal(versionsOf(settings.DATA_DIR, APP), [2]);
  } finally {
    await server.stop();
  }
});

test('a rotation between the look at master.key and that at the database: the new secret is found', async () => {
  const { DATA_DIR } = copyOf(sample.DATA_DIR);
  const rotated = copyOf(sample.DATA_DIR);
  await json(['master-secret', 'rotate', '--yes'], rotated, within);
  const location = {
    path: databaseOf(DATA_DIR),
    masterSecret: null,
    masterSecretFile: join(DATA_DIR, 'master.key'),
    erasuresFile: join(DATA_DIR, 'erasures.jsonl'),
  };
  // The files are read in the call itself, the database in a later turn.
  const opening = openKeyed(location, systemRandom());
  const database = new Database(databaseOf(DATA_DIR));
  database.prepare('ATTACH ? AS rotated').run(databaseOf(rotated.DATA_DIR));
  database.exec(`UPDATE data_keys SET wrapped = (SELECT wrapped FROM rotated.data_keys r WHERE r.id = data_keys.id);
    UPDATE meta SET value = (SELECT value FROM rotated.meta r WHERE r.name = meta.name) WHERE name = 'master_secret_check'`);
  database.close();
  copyFileSync(join(rotated.DATA_DIR, 'master.key'), location.masterSecretFile);
  await (await opening).driver.close();
  assert.equal(await contents(DATA_DIR), before);
});

test.run();
