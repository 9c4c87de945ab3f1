/** The list of a request's checks in src/http/pipeline.ts names functions and files that exist, and all ten steps. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';

const test = suite('repo: order of checks');
const SRC = join(import.meta.dirname, '../../src');
const read = (file: string) => readFileSync(join(SRC, file), 'utf8');
const header =
  read('http/pipeline.ts')
    .split('*/')[0]
    ?.replace(/\n \* +/g, ' ') ?? '';

test('every step of a request is listed, in order', () => {
  const steps = [...header.matchAll(/ (\d+b?)\. /g)].map(([, step]) => step);
  assert.equal(steps, ['1', '2', '3', '4', '4b', '5', '6', '7', '8', '9', '10']);
});

test('what the list names is where it says', () => {
  const named = [...header.matchAll(/(\w+) \(([\w/-]+\.ts)\)/g)].map(([, name = '', file = '']) => ({
    name,
    file: file.includes('/') ? file : `http/${file}`,
  }));
  assert.ok(named.length >= 12, `${named.length} places`);
  for (const { name, file } of named) {
    assert.ok(existsSync(join(SRC, file)), file);
    if (file.includes('domain/') || file.includes('ports/'))
      assert.match(read(file), new RegExp(`\\b${name}\\(`), `${name} in ${file}`);
  }
});

test.run();
