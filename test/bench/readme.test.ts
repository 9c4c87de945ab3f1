/** bench/README.md: its example of an engine compiles, runs and passes the gate; the document stays short. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { ENGINES } from '../../bench/engines/all.ts';
import { ownMakers } from '../../bench/own-engine.ts';
import { KINDS } from '../../bench/search/data.ts';
import { gate } from '../../bench/search/run.ts';
import { snippetIn } from '../support/readme.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { benchQueries } from './queries.ts';

const test = suite('bench, README');
const ROOT = join(import.meta.dirname, '../..');
const BENCH = join(ROOT, 'bench');
const folder = tempFolder();

/** Outside the repository, with its imports as if it were in the project's folder. */
const engine = join(folder, 'engine.ts');
const code = snippetIn('bench/README.md', 'engine');
writeFileSync(
  engine,
  code.replace(/ from '(\.[^']+)'/g, (_, path: string) => ` from '${join(ROOT, path)}'`),
);

test('the example compiles under the rules of the repository', () => {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const config = join(folder, 'tsconfig.json');
  const options = { typeRoots: [join(ROOT, 'node_modules/@types')] };
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: options,
      include: [],
      files: [engine],
    }),
  );
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'pipe', encoding: 'utf8' });
});

test('the example engine passes the gate as exact, with one probe and with several', async () => {
  const [maker] = await ownMakers([engine], ENGINES);
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

test('the document is short enough to be read to the end', () => {
  const size = readFileSync(join(BENCH, 'README.md')).length;
  assert.ok(size <= 12_000, `${size} bytes`);
});

test.run();
