/** bench/README.md: its examples of an engine and of a data set compile, run and pass the gate; documents stay short. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { DATA_SETS } from '../../bench/data-sets/all.ts';
import type { DataSet } from '../../bench/data-sets.ts';
import { ENGINES } from '../../bench/engines/all.ts';
import { ownMakers } from '../../bench/own-engine.ts';
import { KINDS, templates } from '../../bench/search/data.ts';
import { gate } from '../../bench/search/run.ts';
import { snippetIn } from '../support/readme.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { benchQueries, cosine } from './queries.ts';

const test = suite('bench, README');
const ROOT = join(import.meta.dirname, '../..');
const BENCH = join(ROOT, 'bench');
const folder = tempFolder();

/** Writes an example outside the repository, with its imports as if it were in this folder. */
function example(name: string, within: string): string {
  const code = snippetIn('bench/README.md', name).replace(
    / from '(\.[^']+)'/g,
    (_, path: string) => ` from '${join(ROOT, within, path)}'`,
  );
  const file = join(folder, `${name}.ts`);
  writeFileSync(file, code);
  return file;
}
const files = { engine: example('engine', ''), dataSet: example('data-set', 'bench/data-sets') };

test('the examples compile under the rules of the repository', () => {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const config = join(folder, 'tsconfig.json');
  const options = { typeRoots: [join(ROOT, 'node_modules/@types')] };
  const { engine, dataSet } = files;
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: options,
      include: [],
      files: [engine, dataSet],
    }),
  );
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'pipe', encoding: 'utf8' });
});

test('the example engine passes the gate as exact, with one probe and with several', async () => {
  const [maker] = await ownMakers([files.engine], ENGINES);
  for (const kind of KINDS)
    for (const q of [1, 3]) {
      const { gallery, queries } = benchQueries('easy', 600, kind, q);
      const requested = { names: new Set<string>(), settings: [] };
      const engines = (await maker?.make(gallery, requested)) ?? [];
      assert.equal([engines[0]?.name, engines[0]?.rule], ['mine', 'exact']);
      const [judged] = await gate(engines, gallery, { q, kind }, queries);
      assert.equal([judged?.recall, judged?.mismatches], [1, 0]);
    }
});

test('the example data set is seeded, extends to larger galleries, and has the cosine that it states', async () => {
  const { mine }: { mine: DataSet } = await import(files.dataSet);
  assert.not.ok(DATA_SETS.some(({ name, seed }) => name === mine.name || seed === mine.seed));
  const { gallery, queries } = benchQueries(mine, 2000, 'genuine', 1, 20);
  assert.equal(templates(mine, 500).vectors, gallery.vectors.slice(0, 500 * 128));
  for (const [i, { raw, expected }] of queries.entries()) {
    assert.is(expected.template, (i * 7919 + 13) % 2000);
    const own = gallery.vectors.subarray(expected.template * 128, (expected.template + 1) * 128);
    assert.ok(Math.abs(cosine(raw[0] ?? [], own) - 0.7) < 1e-6);
  }
});

test('the documents are short enough to be read to the end', () => {
  const most = { 'README.md': 12_000 };
  for (const [file, bytes] of Object.entries(most)) {
    const size = readFileSync(join(BENCH, file)).length;
    assert.ok(size <= bytes, `bench/${file}: ${size} bytes, at most ${bytes}`);
  }
});

test.run();
