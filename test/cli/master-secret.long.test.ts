/**
 * Rotation of the master secret, by the program itself: killed before each thing that reaches the disk, refused where it
 * cannot be right, and thorough: what the old secret opened is nowhere in the files afterwards.
 */
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { lockFile } from '../../src/adapters/journal/instance-lock.ts';
import { rotateMaster } from '../../src/adapters/journal/rotation.ts';
import { openKeyed, rotatingIn } from '../../src/adapters/sqlite/open-store.ts';
import { systemRandom } from '../../src/adapters/system/system.ts';
import { dataKeysOf, masterSecretOf } from '../support/data-keys.ts';
import { assertRefused, cli, json, serve, tempFolder, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import {
  APP,
  contents,
  copyOf,
  DYING,
  databaseOf,
  filesWith,
  sealedFolder,
  wrappedKeys,
} from './sealed-folder.ts';

const test = suite('cli: master secret');
const ROTATE = ['master-secret', 'rotate', '--yes'];
const DESTROY_OLD = ['master-secret', 'destroy-old', '--yes'];
const FRESH = Buffer.alloc(32, 9).toString('base64url');
let sample: Awaited<ReturnType<typeof sealedFolder>>;
let before: unknown;

test.before(async () => {
  sample = await sealedFolder();
  before = await contents(sample.DATA_DIR);
});

const keyFile = (dataDir: string) => join(dataDir, 'master.key');
const oldFile = (dataDir: string) => join(dataDir, 'master.key.old');
const nextFile = (dataDir: string) => join(dataDir, 'master.key.next');

test('a new secret is in the file, opens everything, and the old one opens nothing that is there', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  const old = masterSecretOf(DATA_DIR);
  const wrapped = wrappedKeys(DATA_DIR);
  assert.ok(wrapped.length >= 4);
  const answer = await json(ROTATE, settings);
  assert.equal(answer, {
    rotated: true,
    keys: wrapped.length,
    file: keyFile(DATA_DIR),
    old: oldFile(DATA_DIR),
  });
  assert.is(statSync(keyFile(DATA_DIR)).mode & 0o777, 0o600);
  assert.not(masterSecretOf(DATA_DIR).equals(old));
  assert.equal(await contents(DATA_DIR), before);
  for (const bytes of wrapped) assert.equal(filesWith(DATA_DIR, bytes), []);
  assert.throws(() => dataKeysOf(DATA_DIR, APP, old));
  writeFileSync(keyFile(DATA_DIR), old.toString('base64url'));
  assertRefused(await within(['app', 'list'], settings), 2, /master secret does not fit/);
});

test('killed before any step: the next command finds everything, with one secret', async () => {
  let steps = 0;
  const kept = { old: 0, next: 0 };
  for (;;) {
    const settings = copyOf(sample.DATA_DIR);
    const { DATA_DIR } = settings;
    const old = masterSecretOf(DATA_DIR);
    const ran = await cli(ROTATE, { ...settings, KILL_AT: String(steps + 1) }, DYING);
    if (ran.code === 0) break;
    steps += 1;
    assert.is(ran.signal, 'SIGKILL', `step ${steps}: ${ran.stderr}`);
    assert.equal(await contents(DATA_DIR), before, `step ${steps}`);
    assert.not.ok(existsSync(nextFile(DATA_DIR)), `step ${steps}`);
    const isBefore = masterSecretOf(DATA_DIR).equals(old);
    kept[isBefore ? 'old' : 'next'] += 1;
    // The secret from before is in one of the two files, whatever happened.
    if (!isBefore)
      assert.is(readFileSync(oldFile(DATA_DIR), 'utf8').trim(), old.toString('base64url'), `step ${steps}`);
    else assert.not.ok(existsSync(oldFile(DATA_DIR)), `step ${steps}`);
    if (steps % 3 !== 0) continue;
    // And it can be rotated as if nothing had been.
    if (!isBefore) await json(DESTROY_OLD, settings, within);
    assert.is((await json(ROTATE, settings, within)).rotated, true);
    assert.equal(await contents(DATA_DIR), before, `step ${steps}, rotated again`);
  }
  assert.ok(steps >= 8, `${steps} steps`);
  assert.ok(kept.old >= 3 && kept.next >= 2, JSON.stringify(kept));
});

test('doctor reports an interrupted rotation, and any command ends it', async () => {
  const settings = copyOf(sample.DATA_DIR);
  writeFileSync(nextFile(settings.DATA_DIR), FRESH, { mode: 0o600 });
  const find = async () => {
    const { stdout } = await within(['doctor', '--json'], settings);
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'master secret');
  };
  const found = await find();
  assert.not.ok(found.ok);
  assert.match(found.detail, /master\.key\.next .*rotation/);
  await json(['app', 'list'], settings, within);
  assert.ok((await find()).ok);
});

test('the next secret alone is enough where the file was lost between the steps', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  copyFileSync(keyFile(DATA_DIR), nextFile(DATA_DIR));
  writeFileSync(keyFile(DATA_DIR), FRESH);
  assert.equal(await contents(DATA_DIR), before);
  assert.not.ok(existsSync(nextFile(DATA_DIR)));
});

test('the present secret is not lost where two rotations are cut short, one in the middle of the other', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  const location = {
    path: databaseOf(DATA_DIR),
    masterSecret: null,
    masterSecretFile: keyFile(DATA_DIR),
    erasuresFile: join(DATA_DIR, 'erasures.jsonl'),
  };
  const { driver, master } = await openKeyed(location, systemRandom());
  try {
    // The first: killed when the database had changed. The second ends it, and then cannot begin.
    copyFileSync(keyFile(DATA_DIR), nextFile(DATA_DIR));
    writeFileSync(keyFile(DATA_DIR), FRESH);
    const full = { ...driver, write: () => Promise.reject(new Error('the disk is full')) };
    const failed = await rotateMaster(rotatingIn(location), full, master, null, systemRandom()).catch(String);
    assert.match(String(failed), /master\.key\.old contains the secret from before the last rotation/);
  } finally {
    await driver.close();
  }
  assert.equal(await contents(DATA_DIR), before);
});

test('a secret of one’s own comes from a file or from the environment', async () => {
  for (const [more, env] of [
    [['--new', 'FILE'], {}],
    [[], { NEW_MASTER_SECRET: FRESH }],
  ] as [string[], Record<string, string>][]) {
    const settings = copyOf(sample.DATA_DIR);
    const file = join(tempFolder(), 'new');
    writeFileSync(file, `${FRESH}\n`);
    await json([...ROTATE, ...more.map(word => (word === 'FILE' ? file : word))], { ...settings, ...env });
    assert.is(masterSecretOf(settings.DATA_DIR).toString('base64url'), FRESH);
    assert.equal(await contents(settings.DATA_DIR), before);
  }
});

test('refused in one line that names the fix, and nothing is changed', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const { DATA_DIR } = settings;
  const present = masterSecretOf(DATA_DIR).toString('base64url');
  const file = (text: string) => {
    const path = join(tempFolder(), 'new');
    writeFileSync(path, text);
    return path;
  };
  const refusals: [string[], Record<string, string>, number, RegExp][] = [
    [['--new', file('short')], {}, 2, /--new .* must contain 32 bytes in base64url .*openssl/],
    [['--new', file(`${FRESH}${FRESH}`)], {}, 2, /must contain 32 bytes/],
    [['--new', file('')], {}, 2, /must contain 32 bytes/],
    [['--new', '/nowhere/x'], {}, 2, /--new \/nowhere\/x cannot be read/],
    [[], { NEW_MASTER_SECRET: 'short' }, 2, /NEW_MASTER_SECRET must be 32 bytes in base64url.*openssl/],
    [['--new', file(FRESH)], { NEW_MASTER_SECRET: FRESH }, 2, /not both/],
    [['--new', file(present)], {}, 1, /the new master secret is the same as the current one/],
    [[], { MASTER_SECRET: present }, 2, /--new FILE or NEW_MASTER_SECRET/],
    [[], { DATA_DIR: join(tempFolder(), 'none') }, 1, /there is no database/],
  ];
  for (const [more, env, code, line] of refusals) {
    const ran = await within([...ROTATE, ...more], { ...settings, ...env });
    assertRefused(ran, code, line, more.join(' '));
    for (const secret of [present, FRESH]) assert.not(ran.stderr.includes(secret));
  }
  assert.is(masterSecretOf(DATA_DIR).toString('base64url'), present);
  assert.not.ok(existsSync(nextFile(DATA_DIR)));
  assert.equal(await contents(DATA_DIR), before);
});

test('of two rotations at once one is refused in one line', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const release = lockFile(`${databaseOf(settings.DATA_DIR)}.rotation.lock`);
  try {
    assertRefused(await cli(ROTATE, settings), 1, /another rotation of the master secret is running/);
  } finally {
    release?.();
  }
  const both = await Promise.all([cli(ROTATE, settings), cli(ROTATE, settings)]);
  for (const ran of both)
    if (ran.code !== 0)
      assertRefused(ran, ran.code as number, /rotated a moment ago|is running|master\.key\.old contains/);
  assert.ok(both.some(({ code }) => code === 0));
  assert.equal(await contents(settings.DATA_DIR), before);
});

test('a secret of the environment: rotated while no server runs, and told what to set', async () => {
  const secret = Buffer.alloc(32, 3);
  const { DATA_DIR } = await sealedFolder(1, secret);
  const settings = { DATA_DIR, MASTER_SECRET: secret.toString('base64url') };
  const change = { ...settings, NEW_MASTER_SECRET: FRESH };
  const server = await serve(settings);
  assertRefused(await cli(ROTATE, change), 1, /a server runs with MASTER_SECRET in its environment: stop it/);
  await server.stop();
  // The server has deleted test users that are too old.
  const wanted = await contents(DATA_DIR, secret);
  const ran = await cli(ROTATE, change);
  assert.is(ran.code, 0, ran.stderr);
  assert.match(ran.stdout, /set MASTER_SECRET to the new one before the next start/);
  assert.not.ok(existsSync(keyFile(DATA_DIR)) || existsSync(nextFile(DATA_DIR)));
  assert.equal(await contents(DATA_DIR, Buffer.from(FRESH, 'base64url')), wanted);
  assertRefused(await cli(['app', 'list'], settings), 2, /master secret does not fit/);
});

test('a backup from before a rotation says that it needs the secret of its time', async () => {
  const settings = copyOf(sample.DATA_DIR);
  const backup = join(tempFolder(), 'backup.db');
  await json(['backup', backup], settings, within);
  const old = readFileSync(keyFile(settings.DATA_DIR));
  await json(ROTATE, settings, within);
  const DATA_DIR = tempFolder();
  copyFileSync(keyFile(settings.DATA_DIR), keyFile(DATA_DIR));
  assertRefused(
    await within(['restore', backup, '--accept-gap'], { DATA_DIR }),
    2,
    /was made with another master secret: a backup from before a rotation needs the secret of that time/,
  );
  writeFileSync(keyFile(DATA_DIR), old);
  await json(['restore', backup, '--accept-gap'], { DATA_DIR }, within);
  assert.equal(await contents(DATA_DIR), before);
});

test.run();
