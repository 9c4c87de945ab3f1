/** Comments fit on a screen, and what they refer to exists. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';

const test = suite('repo: comments');
const ROOT = join(import.meta.dirname, '../..');
const MOST_COLUMNS = 120;

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

test(`no line of the bench is wider than ${MOST_COLUMNS} columns, comments included`, () => {
  const exclude = (name: string) => name === 'node_modules' || name === '.venv';
  const files = globSync('bench/**/*.{ts,py,c,h}', { cwd: ROOT, exclude });
  assert.ok(files.length > 60, 'the files were found');
  const wide = files.flatMap(file =>
    read(file)
      .split('\n')
      .flatMap((line, i) => (line.length > MOST_COLUMNS ? [`${file}:${i + 1}: ${line.length} columns`] : [])),
  );
  assert.equal(wide, []);
});

test(`no comment in src is wider than ${MOST_COLUMNS} columns`, () => {
  const files = globSync('src/**/*.{ts,tsx,js,jsx,mjs}', { cwd: ROOT });
  assert.ok(files.length > 250, 'the files were found');
  const wide = files.flatMap(file =>
    read(file)
      .split('\n')
      .flatMap((line, i) =>
        /^\s*(?:\/\/|\/?\*)/.test(line) && line.length > MOST_COLUMNS && !line.includes('biome-ignore')
          ? [`${file}:${i + 1}: ${line.length} columns`]
          : [],
      ),
  );
  assert.equal(wide, []);
});

test('every file of the project that a comment of the source names exists', () => {
  const files = globSync('{src,assembly}/**/*.{ts,tsx,js,sql}', { cwd: ROOT }).map(String);
  const tests = globSync('test/**/*.ts', { cwd: ROOT }).map(String);
  const missing: string[] = [];
  let named = 0;
  for (const file of files)
    for (const name of namesIn(commentsOf(read(file)))) {
      named += 1;
      const isThere = name.includes('*')
        ? globSync(name, { cwd: ROOT }).length > 0
        : name.includes('/')
          ? existsSync(join(ROOT, name))
          : tests.some(path => path.endsWith(`/${name}`));
      if (!isThere) missing.push(`${file} names ${name}`);
    }
  assert.ok(named > 300, `only ${named} names were found`);
  assert.equal(missing, []);
});

function commentsOf(text: string): string {
  const found = text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|^\s*--.*/gm) ?? [];
  return found.join('\n').replace(/\n\s*\* ?/g, '\n');
}

/** Paths from the root of the project, and tests without their folder. */
function namesIn(comments: string): Set<string> {
  const paths = comments.match(/(?<![\w./@-])(?:src|test|assembly|bench)\/[\w*/.-]*[\w*]/g) ?? [];
  const bare = comments.match(/(?<![\w./*-])[\w-]+(?:\.long)?\.test\.ts\b/g) ?? [];
  return new Set([...paths, ...bare]);
}

test.run();
