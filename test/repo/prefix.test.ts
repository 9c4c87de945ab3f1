/** The product's prefix is spelled once: whoever renames the service changes one line. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { PREFIX } from '../../src/brand.ts';
import { suite } from '../support/suite.ts';

const test = suite('repo: prefix');
const SRC = join(import.meta.dirname, '../../src');

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
const spellings = (text: string) => text.match(new RegExp(`(?<![a-z])${PREFIX}(?![a-z])`, 'gi'))?.length ?? 0;

test('only one file spells the prefix', () => {
  const files = globSync('**/*.{ts,js,html,sql,json}', { cwd: SRC });
  assert.ok(files.length > 50, 'the files were found');
  const found = files
    .map(file => [
      file.replaceAll('\\', '/'),
      spellings(withoutComments(readFileSync(join(SRC, file), 'utf8'))),
    ])
    .filter(([, count]) => count !== 0);
  assert.equal(found, [['brand.ts', 1]]);
});

test.run();
