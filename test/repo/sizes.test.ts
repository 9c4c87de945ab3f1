/** Files stay small enough to be read at one go. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';

const test = suite('repo: sizes');
const ROOT = join(import.meta.dirname, '../..');
const MOST = 300;

test(`no file of code is longer than ${MOST} lines`, () => {
  const files = globSync('{src,test,assembly,bench}/**/*.{ts,tsx,js,mjs,css,html,sql}', {
    cwd: ROOT,
    exclude: name => name === 'node_modules' || name === 'results',
  });
  assert.ok(files.length > 100, 'the files were found');
  const sizes = files
    .map(file => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length }))
    .sort((a, b) => a.lines - b.lines);
  const median = sizes[Math.floor(sizes.length / 2)]?.lines;
  console.log(`median of ${sizes.length} files: ${median} lines; longest: ${sizes.at(-1)?.lines}`);
  const long = sizes.filter(({ lines }) => lines > MOST).map(({ file, lines }) => `${file}: ${lines} lines`);
  assert.equal(long, []);
});

test.run();
