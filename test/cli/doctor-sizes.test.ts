/** What doctor says about sizes and counts, as people read it. */
import * as assert from 'uvu/assert';
import { madeDataDir, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: doctor sizes');

test('every size has a unit in which it is not zero, and counts have the right noun', async () => {
  const { code, stdout } = await within(['doctor'], { DATA_DIR: await madeDataDir() });
  assert.is(code, 0, stdout);
  assert.match(stdout, /\.db, [1-9][\d.]* KB, schema version/);
  assert.match(stdout, /readable by this user only, [1-9][\d.]* (?:MB|GB|TB) left/);
  assert.match(stdout, /0 templates and all keys can be decrypted/);
});

test.run();
