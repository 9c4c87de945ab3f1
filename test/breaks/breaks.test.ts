/** Every break of test/breaks fits the source as it is now, and belongs to a rule: `npm run breaks` can try it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { RULES } from '../rules/index.ts';
import { suite } from '../support/suite.ts';
import { BREAKS, draw } from './breaks.ts';

const test = suite('breaks');
const ROOT = join(import.meta.dirname, '../..');
const ids = new Set(RULES.map(({ id }) => id));

test('every break changes one place of the source, and its rule exists', () => {
  const wrong = BREAKS.filter(({ rule, file, find, replace }) => {
    const parts = readFileSync(join(ROOT, file), 'utf8').split(find);
    return parts.length !== 2 || find === replace || !ids.has(rule);
  });
  assert.equal(
    wrong.map(({ rule, file, find }) => `${rule}: ${file} ${find}`),
    [],
  );
});

test('the 40 rules of the first draw have a break each', () => {
  const broken = new Set(BREAKS.map(({ rule }) => rule));
  const without = draw(RULES, 1, 40).filter(({ id }) => !broken.has(id));
  assert.equal(
    without.map(({ id }) => id),
    [],
  );
});

test.run();
