/** What doctor says about sizes and counts, as people read it; and how it searches large files. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { searchFile } from '../../src/cli/doctor/erasure.ts';
import { madeDataDir, tempFolder, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: doctor sizes');

test('every size has a unit in which it is not zero, and counts have the right noun', async () => {
  const { code, stdout } = await within(['doctor'], { DATA_DIR: await madeDataDir() });
  assert.is(code, 0, stdout);
  assert.match(stdout, /\.db, [1-9][\d.]* KB, schema version/);
  assert.match(stdout, /readable by this user only, [1-9][\d.]* (?:MB|GB|TB) left/);
  assert.match(stdout, /0 templates, personal fields and all keys can be decrypted/);
});

const GONE = 'usr_000000000000000000000000';

test('a text across two pieces of a large file is found once', () => {
  const file = join(tempFolder(), 'large');
  const piece = 8 * 1024 * 1024;
  const bytes = Buffer.alloc(2 * piece + 5_000, 'x');
  for (const at of [0, piece - 10, 2 * piece - 27, 2 * piece + 4_000]) bytes.write(GONE, at);
  writeFileSync(file, bytes);
  assert.equal(searchFile(file, GONE), {
    file,
    bytes: bytes.length,
    found: [0, piece - 10, 2 * piece - 27, 2 * piece + 4_000],
  });
  assert.is(searchFile(`${file}-gone`, GONE), null);
});

test.run();
