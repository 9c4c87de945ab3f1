/**
 * The master secret is found or, only beside a new database, made: a second one beside existing data would make every
 * template unreadable and look like a working start. Held here with the store that checks it.
 */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { findMasterSecrets } from '../../src/adapters/secrets/master-secret.ts';
import { openStore } from '../../src/adapters/sqlite/open-store.ts';
import { StoreMisfit } from '../../src/ports/store.ts';
import { seeded } from '../support/random.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('master secret');

function folder() {
  const path = tempFolder();
  const file = join(path, 'master.key');
  const database = join(path, 'face-sign-in.db');
  const erasuresFile = join(path, 'erasures.jsonl');
  const open = (masterSecret: Buffer | null = null, seed = 1) =>
    openStore({ path: database, masterSecret, masterSecretFile: file, erasuresFile }, seeded(seed));
  return { file, database, open };
}

async function misfit(attempt: () => unknown): Promise<StoreMisfit> {
  try {
    await attempt();
  } catch (error) {
    assert.instance(error, StoreMisfit);
    return error as StoreMisfit;
  }
  throw new Error('was not refused');
}

test('a new database gets a file that only its owner can read, of 32 bytes in base64url', async () => {
  const { file, open } = folder();
  const before = process.umask(0);
  try {
    await (await open()).store.close();
  } finally {
    process.umask(before);
  }
  assert.is(statSync(file).mode & 0o777, 0o600);
  assert.match(readFileSync(file, 'utf8'), /^[\w-]{43}\n$/);
  await (await open(null, 2)).store.close();
});

test('two new databases get two secrets', async () => {
  const [one, two] = [folder(), folder()];
  await (await one.open(null, 1)).store.close();
  await (await two.open(null, 2)).store.close();
  assert.is.not(readFileSync(one.file, 'utf8'), readFileSync(two.file, 'utf8'));
});

test('the file is missing beside a database: refused, named, and not made again', async () => {
  const { file, open } = folder();
  await (await open()).store.close();
  rmSync(file);
  const { message } = await misfit(() => open());
  assert.match(message, file);
  assert.match(message, 'MASTER_SECRET');
  assert.not(message.includes('\n'));
  assert.not(existsSync(file));
});

test('another secret than the one of the database is refused, from the file and from the setting', async () => {
  const { file, open } = folder();
  await (await open()).store.close();
  const right = readFileSync(file, 'utf8').trim();
  const wrong = Buffer.alloc(32, 9);
  for (const refused of [await misfit(() => open(wrong))]) {
    assert.not(refused.message.includes('\n'));
    assert.not(refused.message.includes(right), 'the message tells the secret');
    assert.not(refused.message.includes(wrong.toString('base64url')), 'the message tells the secret');
  }
  writeFileSync(file, wrong.toString('base64url'));
  await misfit(() => open());
  await (await open(Buffer.from(right, 'base64url'))).store.close();
  writeFileSync(file, right);
  await (await open()).store.close();
});

test('a database opened with another secret is left as it was', async () => {
  const { database, open } = folder();
  await (await open()).store.close();
  const before = readFileSync(database);
  await misfit(() => open(Buffer.alloc(32, 9)));
  assert.ok(readFileSync(database).equals(before));
});

test('the setting wins over the file, and no file is made for it', async () => {
  const { file, open } = folder();
  await (await open(Buffer.alloc(32, 3))).store.close();
  assert.not(existsSync(file));
  assert.equal(findMasterSecrets(Buffer.alloc(32, 4), file, true, seeded(1)), [Buffer.alloc(32, 4)]);
});

test('a file that holds something else is refused, whether or not there is a database', async () => {
  for (const text of ['', '\n', 'short', 'A'.repeat(42), 'A'.repeat(86)]) {
    for (const databaseExists of [false, true]) {
      const { file } = folder();
      writeFileSync(file, text);
      const { message } = await misfit(() => findMasterSecrets(null, file, databaseExists, seeded(1)));
      assert.match(message, '32 bytes');
      assert.is(readFileSync(file, 'utf8'), text, 'the file is left as it was');
    }
  }
});

test('white space around the secret in its file does not matter', () => {
  const { file } = folder();
  const secret = seeded(4).bytes(32);
  writeFileSync(file, ` ${secret.toString('base64url')}\r\n`);
  assert.equal(findMasterSecrets(null, file, true, seeded(1)), [secret]);
});

test.run();
