/** The age tool opens what the program exports, and the program imports what age encrypts: at the price that each asks for. */
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import { assertRefused, cli, json, madeDataDir } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { APP, folderWith, newFile, PASSPHRASE, read, rowsOf, withPass } from '../transfer/given.ts';
import { age } from './age.ts';

const test = suite('clients: age');
const settings = await folderWith(60);
const exported = newFile();
const lines = newFile();

const workFactor = (file: string) => /^-> scrypt \S+ (\d+)$/m.exec(readFileSync(file, 'latin1'))?.[1];

test('age opens an export, and it holds every line', async () => {
  const { users, templates } = await json(['app', 'export', APP, exported], withPass(settings));
  assert.is(workFactor(exported), '17');
  age(['--decrypt', '--output', lines, exported], PASSPHRASE);
  const text = readFileSync(lines, 'utf8');
  const records = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  assert.equal(records, await read(exported));
  const { type, ...counts } = records.at(-1) as Json;
  assert.equal([type, counts.users, counts.templates], ['end', users, templates]);
  assert.equal([users, templates], [120, 240]);
});

test('age opens it with no other passphrase', () => {
  const args = ['--decrypt', '--output', newFile(), exported];
  assert.throws(() => age(args, 'another passphrase'), /incorrect passphrase/);
});

test('what age encrypts with a passphrase is imported', async () => {
  const file = newFile();
  age(['--passphrase', '--output', file, lines], PASSPHRASE);
  assert.is(workFactor(file), '18', 'the most that is accepted');
  const there = { DATA_DIR: await madeDataDir() };
  await json(['app', 'import', file], withPass(there));
  assert.equal(rowsOf(there.DATA_DIR), rowsOf(settings.DATA_DIR));
});

test('what age encrypts as text is refused, with the fix', async () => {
  const file = newFile();
  age(['--passphrase', '--armor', '--output', file, lines], PASSPHRASE);
  const ran = await cli(['app', 'import', file], withPass({ DATA_DIR: await madeDataDir() }));
  assertRefused(ran, 1, /is armored: encrypt it again without --armor/);
});

test.run();
