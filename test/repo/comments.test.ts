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
  const files = globSync('bench/**/*.{ts,py,c,h}', { cwd: ROOT, exclude: name => name === 'node_modules' });
  assert.ok(files.length > 60, 'the files were found');
  const wide = files.flatMap(file =>
    read(file)
      .split('\n')
      .flatMap((line, i) => (line.length > MOST_COLUMNS ? [`${file}:${i + 1}: ${line.length} columns`] : [])),
  );
  assert.equal(wide, []);
});

test(`no comment of these rooms is wider than ${MOST_COLUMNS} columns`, () => {
  const rooms = 'adapters,build,cli,encoder,executable,http,jobs,service,settings';
  const files = globSync(`src/{*.ts,{${rooms}}/**/*.ts}`, { cwd: ROOT });
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

test('every test that a comment of the source names exists', () => {
  const files = globSync('{src,assembly}/**/*.{ts,sql}', { cwd: ROOT });
  const named = files.flatMap(file =>
    [...read(file).matchAll(/\btest\/[\w/.-]+\.ts/g)].map(([path]) => ({ file, path })),
  );
  assert.ok(named.length > 100, 'names were found');
  const missing = named.filter(({ path }) => !existsSync(join(ROOT, path)));
  assert.equal(missing, []);
});

test.run();
