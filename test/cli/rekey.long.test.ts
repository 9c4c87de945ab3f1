/**
 * Fresh keys for apps and signing keys, by the program itself: killed before each thing that reaches the disk and run
 * again, and thorough: after a rotation of the master secret and this, the old secret opens nothing that is there.
 */
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { FIRST_PLACE, SIGNING_KEYS } from '../../src/ports/store.ts';
import { dataKeysOf, masterSecretOf } from '../support/data-keys.ts';
import { cli, json, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import {
  APP,
  contents,
  copyOf,
  DYING,
  databaseOf,
  filesWith,
  inStore,
  OTHER,
  person,
  sealedFolder,
  versionsOf,
  wrappedKeys,
} from './sealed-folder.ts';

const test = suite('cli: rekey');
const OWNERS = [APP, OTHER, SIGNING_KEYS];
let sample: Awaited<ReturnType<typeof sealedFolder>>;
let before: unknown;

test.before(async () => {
  sample = await sealedFolder();
  before = await contents(sample.DATA_DIR);
});

const sealedRows = (dataDir: string, table = 'templates') => {
  const database = new Database(databaseOf(dataDir), { readonly: true });
  try {
    return database.prepare(`SELECT sealed FROM ${table}`).pluck().all() as Buffer[];
  } finally {
    database.close();
  }
};

test('one app: its templates are under a fresh key, its old one is gone, and the other app is as it was', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  const [old] = dataKeysOf(DATA_DIR, APP);
  const answer = await json(['app', 'rekey', '--app', APP], settings);
  assert.equal(answer, { rekeyed: [{ owner: APP, values: 36, unreadable: 0, resumed: false }] });
  assert.equal(
    OWNERS.map(owner => versionsOf(DATA_DIR, owner)),
    [[2], [1], [1]],
  );
  assert.equal(await contents(DATA_DIR), before);
  for (const bytes of [old?.wrapped as Buffer, Buffer.from(`02${old?.id}`, 'hex')])
    assert.equal(filesWith(DATA_DIR, bytes), []);
  // And what comes after is under the fresh one.
  await inStore(DATA_DIR, store => person(store, APP, 'live'));
  assert.equal(versionsOf(DATA_DIR, APP), [2]);
});

test('after a theft: once rotated and rekeyed, secret and database of then open nothing of now', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  const secret = masterSecretOf(DATA_DIR);
  const stolen = {
    keys: OWNERS.flatMap(owner => dataKeysOf(DATA_DIR, owner)),
    wrapped: wrappedKeys(DATA_DIR),
  };
  const rows = [...sealedRows(DATA_DIR), ...sealedRows(DATA_DIR, 'signing_keys')];
  await json(['master-secret', 'rotate', '--yes'], settings, within);
  const { rekeyed } = await json(['app', 'rekey', '--all'], settings, within);
  assert.equal(
    rekeyed.map((one: { owner: string; values: number }) => [one.owner, one.values]),
    [
      [APP, 36],
      [OTHER, 18],
      [SIGNING_KEYS, 1],
    ],
  );
  assert.equal(await contents(DATA_DIR), before);
  for (const owner of OWNERS) assert.throws(() => dataKeysOf(DATA_DIR, owner, secret));
  for (const bytes of [...stolen.wrapped, ...rows]) assert.equal(filesWith(DATA_DIR, bytes), []);
  const now = new Set(
    OWNERS.flatMap(owner => dataKeysOf(DATA_DIR, owner)).map(key => key.bytes.toString('hex')),
  );
  for (const key of stolen.keys) assert.not(now.has(key.bytes.toString('hex')));
});

test('killed before any step: everything opens, doctor reports it, and the next run ends what was begun', async () => {
  let steps = 0;
  let unfinished = 0;
  for (;;) {
    const settings = copyOf(sample.DATA_DIR);
    const { DATA_DIR } = settings;
    const ran = await cli(['app', 'rekey', '--app', APP], { ...settings, KILL_AT: String(steps + 1) }, DYING);
    if (ran.code === 0) break;
    steps += 1;
    assert.is(ran.signal, 'SIGKILL', `step ${steps}: ${ran.stderr}`);
    assert.equal(await contents(DATA_DIR), before, `step ${steps}`);
    const versions = versionsOf(DATA_DIR, APP);
    const { stdout } = await within(['doctor', '--json'], settings);
    const keys = JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'data keys');
    assert.is(keys.ok, versions.length === 1, `step ${steps}: ${keys.detail}`);
    if (versions.length === 1) continue;
    unfinished += 1;
    // By the command, or by the job of a server.
    if (unfinished % 2 === 1) {
      const { rekeyed } = await json(['app', 'rekey', '--app', APP], settings, within);
      assert.equal(rekeyed, [{ owner: APP, values: 36, unreadable: 0, resumed: true }], `step ${steps}`);
    } else assert.is((await json(['job', 'run', 'data-keys'], settings, within)).affected, 36);
    assert.equal(versionsOf(DATA_DIR, APP), [2], `step ${steps}`);
    assert.equal(await contents(DATA_DIR), before, `step ${steps}, ended`);
  }
  assert.ok(steps >= 4 && unfinished >= 2, `${steps} steps, ${unfinished} of them unfinished`);
});

test('what was begun under an older master secret is not taken for fresh', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  await inStore(DATA_DIR, store => store.beginRekey(APP));
  assert.equal(versionsOf(DATA_DIR, APP), [1, 2]);
  await json(['master-secret', 'rotate', '--yes'], settings, within);
  const { rekeyed } = await json(['app', 'rekey', '--app', APP], settings, within);
  assert.equal(rekeyed, [{ owner: APP, values: 36, unreadable: 0, resumed: false }]);
  assert.equal(versionsOf(DATA_DIR, APP), [3]);
  assert.equal(await contents(DATA_DIR), before);
});

test('an old key that something still needs is not destroyed', async () => {
  const { DATA_DIR } = copyOf(sample.DATA_DIR);
  await inStore(DATA_DIR, async store => {
    await store.beginRekey(APP);
    await store.reseal(APP, FIRST_PLACE, 6);
    assert.is(await store.destroyOldKeys(APP), false);
  });
  assert.equal(versionsOf(DATA_DIR, APP), [1, 2]);
  assert.equal(await contents(DATA_DIR), before);
});

test('a template that does not open stays as it is, and holds nobody up', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  const database = new Database(databaseOf(DATA_DIR));
  const { id, sealed } = database
    .prepare('SELECT id, sealed FROM templates WHERE app_id = ? LIMIT 1')
    .get(APP) as { id: string; sealed: Buffer };
  sealed[60] = (sealed[60] as number) ^ 1;
  database.prepare('UPDATE templates SET sealed = ? WHERE id = ?').run(sealed, id);
  database.close();
  const answer = await json(['app', 'rekey', '--app', APP], settings);
  assert.equal(answer, { rekeyed: [{ owner: APP, values: 35, unreadable: 1, resumed: false }] });
  assert.equal(versionsOf(DATA_DIR, APP), [2]);
  assert.ok(sealedRows(DATA_DIR).some(bytes => bytes.equals(sealed)));
  const { stdout } = await within(['app', 'rekey', '--app', APP], settings);
  assert.match(stdout, /^35 values of .*; 1 cannot be decrypted and stay as they are: run "doctor"\n$/);
});

test('with its app, a key is destroyed; without templates there is nothing to do', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const empty = await json(['app', 'create', '--name', 'Empty'], settings, within);
  assert.equal(await json(['app', 'rekey', '--app', empty.app.id], settings, within), { rekeyed: [] });
  const [key] = dataKeysOf(settings.DATA_DIR, APP);
  await json(['app', 'delete', APP, '--yes'], settings, within);
  assert.equal(versionsOf(settings.DATA_DIR, APP), []);
  assert.equal(filesWith(settings.DATA_DIR, key?.wrapped as Buffer), []);
});

test.run();
