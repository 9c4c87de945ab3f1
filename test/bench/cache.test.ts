/** Where the bench keeps files: never under a name in the shared temporary folder that another user can take first. */
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as assert from 'uvu/assert';
import { CACHE } from '../../bench/cache.ts';
import { suite } from '../support/suite.ts';

const test = suite('bench, cache');
const ROOT = join(import.meta.dirname, '../..');

test('what later runs read or execute is kept in the checkout', () => {
  assert.is(relative(ROOT, CACHE), join('bench', 'node_modules', '.cache', 'face-sign-in'));
});

test('a folder in the temporary folder gets a name of its own for every run', () => {
  const exclude = (name: string) => name === 'node_modules';
  let uses = 0;
  for (const file of globSync('bench/**/*.ts', { cwd: ROOT, exclude })) {
    for (const [use] of readFileSync(join(ROOT, file), 'utf8').matchAll(/.{0,30}tmpdir\(\)/g)) {
      uses++;
      assert.match(use, /mkdtempSync\(join\(tmpdir\(\)$/, file);
    }
  }
  assert.ok(uses > 0);
});

test.run();
