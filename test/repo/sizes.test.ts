/** Files stay small enough to be read at one go, and the whole does not grow unnoticed: counts.json has its size. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';

const test = suite('repo: sizes');
const ROOT = join(import.meta.dirname, '../..');
const MOST = 300;
/** What a count may fall below its record before the record is lowered too, so that the room is not filled unseen. */
const TOLERANCE = 0.05;

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

/** The files that git would list: nothing that was built, installed or measured on this machine. */
const textsOf = (pattern: string) =>
  globSync(pattern, {
    cwd: ROOT,
    exclude: name => ['node_modules', '.venv'].includes(name),
  }).map(file => readFileSync(join(ROOT, file)));
const lines = (pattern: string) =>
  textsOf(pattern).reduce((sum, text) => sum + text.toString().split('\n').length - 1, 0);

/** Why the counts are wrong beside their record; empty when nothing is. */
function faultsOf(now: Record<string, number>, recorded: Record<string, number>): string[] {
  return Object.entries(now).flatMap(([name, count]) => {
    const most = recorded[name] ?? 0;
    if (count > most)
      return [
        `${name}: ${count}, recorded ${most}: raise the recorded count in the same commit and say why in its message`,
      ];
    return count < most * (1 - TOLERANCE)
      ? [`${name}: ${count}, recorded ${most}: record the lower count`]
      : [];
  });
}

test('source, tests and documents are no larger than test/repo/counts.json records', () => {
  const now = {
    'lines of src': lines('src/**/*.{ts,tsx}'),
    'lines of test and bench': lines('{test,bench,lab}/**/*.{ts,tsx}'),
    'bytes of documents': textsOf(
      '{*,data/README,.github/**/*,{src,test,bench,lab,assembly}/**/*}.md',
    ).reduce((sum, text) => sum + text.length, 0),
  };
  console.log(JSON.stringify(now));
  assert.equal(faultsOf(now, JSON.parse(readFileSync(join(ROOT, 'test/repo/counts.json'), 'utf8'))), []);
});

test('one line more than recorded is refused, and so is a record that is far above', () => {
  assert.equal(faultsOf({ a: 100, b: 96 }, { a: 100, b: 100 }), []);
  assert.match(
    String(faultsOf({ a: 101 }, { a: 100 })),
    'raise the recorded count in the same commit and say why',
  );
  assert.match(String(faultsOf({ a: 94 }, { a: 100 })), 'record the lower count');
});

test.run();
