/** What a rotation does with the secret that it replaces: kept for its backups, shown, and gone only when told. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import { masterSecretOf } from '../support/data-keys.ts';
import { assertRefused, json, tempFolder, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { contents, copyOf, sealedFolder } from './sealed-folder.ts';

const test = suite('cli: old secret');
const ROTATE = ['master-secret', 'rotate', '--yes'];
const DESTROY = ['master-secret', 'destroy-old', '--yes'];
let sample: Awaited<ReturnType<typeof sealedFolder>>;
let before: unknown;
test.before(async () => {
  sample = await sealedFolder(1);
  before = await contents(sample.DATA_DIR);
});

const keyFile = (dataDir: string) => join(dataDir, 'master.key');
const oldFile = (dataDir: string) => join(dataDir, 'master.key.old');

async function oldSecretCheck(settings: { DATA_DIR: string }): Promise<Json> {
  const { checks } = JSON.parse((await within(['doctor', '--json'], settings)).stdout);
  return checks.find(({ name }: Json) => name === 'old secret');
}

test('a rotation keeps the old secret for its owner alone, and it opens the backups from before', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  const backup = join(tempFolder(), 'backup.db');
  await json(['backup', backup], settings, within);
  chmodSync(keyFile(DATA_DIR), 0o644);
  const old = readFileSync(keyFile(DATA_DIR), 'utf8');
  await json(ROTATE, settings, within);
  assert.is(readFileSync(oldFile(DATA_DIR), 'utf8'), old);
  assert.is(statSync(oldFile(DATA_DIR)).mode & 0o777, 0o600);
  const restored = { DATA_DIR: tempFolder() };
  copyFileSync(oldFile(DATA_DIR), keyFile(restored.DATA_DIR));
  await json(['restore', backup, '--accept-gap'], restored, within);
  assert.equal(await contents(restored.DATA_DIR), before);
});

test('doctor says since when it is there, as a warning, until it is destroyed', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  assert.is(await oldSecretCheck(settings), undefined);
  await json(ROTATE, settings, within);
  utimesSync(oldFile(DATA_DIR), new Date('2026-03-01T10:00:00Z'), new Date('2026-03-01T10:00:00Z'));
  const found = await oldSecretCheck(settings);
  assert.equal([found.ok, found.warning], [true, true]);
  assert.match(found.detail, /master\.key\.old exists since 2026-03-01T10:00:00\.000Z.*destroy-old --yes/);
  assert.equal(await json(DESTROY, settings, within), { destroyed: true, file: oldFile(DATA_DIR) });
  assert.not.ok(existsSync(oldFile(DATA_DIR)));
  assert.is(await oldSecretCheck(settings), undefined);
  assert.equal(await contents(DATA_DIR), before);
});

test('a second rotation never overwrites an old secret: refused with the fix, and nothing is changed', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  await json(ROTATE, settings, within);
  const files = () => [keyFile, oldFile].map(file => readFileSync(file(DATA_DIR), 'utf8'));
  const kept = files();
  assertRefused(
    await within(ROTATE, settings),
    1,
    /master\.key\.old contains the secret from before the last rotation: .*"master-secret destroy-old --yes"/,
  );
  assert.equal(files(), kept);
  await json(DESTROY, settings, within);
  await json(ROTATE, settings, within);
  assert.is(readFileSync(oldFile(DATA_DIR), 'utf8'), kept[0]);
});

test('an interrupted rotation that finds a foreign old secret loses none of the three', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  // Killed after the database had changed; then somebody put another file there.
  const foreign = `${Buffer.alloc(32, 9).toString('base64url')}\n`;
  const stale = `${Buffer.alloc(32, 8).toString('base64url')}\n`;
  renameSync(keyFile(DATA_DIR), `${keyFile(DATA_DIR)}.next`);
  writeFileSync(keyFile(DATA_DIR), stale, { mode: 0o600 });
  writeFileSync(oldFile(DATA_DIR), foreign, { mode: 0o600 });
  assert.equal(await contents(DATA_DIR), before);
  assert.is(readFileSync(oldFile(DATA_DIR), 'utf8'), foreign);
  assert.is(readFileSync(keyFile(DATA_DIR), 'utf8'), stale);
  await json(DESTROY, settings, within);
  assert.equal(await contents(DATA_DIR), before);
  assert.is(readFileSync(oldFile(DATA_DIR), 'utf8'), stale);
});

test('without --yes neither does anything: exit 2', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  const secret = masterSecretOf(DATA_DIR);
  assertRefused(await within(['master-secret', 'rotate'], settings), 2, /--yes is required/);
  assert.ok(masterSecretOf(DATA_DIR).equals(secret));
  assert.not.ok(existsSync(oldFile(DATA_DIR)));
  await json(ROTATE, settings, within);
  assertRefused(await within(['master-secret', 'destroy-old'], settings), 2, /--yes is required/);
  assert.ok(existsSync(oldFile(DATA_DIR)));
});

test('what is not there, and what the database still needs, is not destroyed: exit 1', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  assertRefused(await within(DESTROY, settings), 1, /there is no old master secret .*master\.key\.old/);
  renameSync(keyFile(DATA_DIR), oldFile(DATA_DIR));
  assertRefused(await within(DESTROY, settings), 1, /needs now: move it to .*master\.key/);
  assert.ok(existsSync(oldFile(DATA_DIR)));
});

test.run();
