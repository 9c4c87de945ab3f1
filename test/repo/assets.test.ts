/** What the program reads of its own files is also in the executable, and nothing looks for files in any other way. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { assetsIn, hasAsset, readAsset, readText } from '../../src/assets.ts';
import { packedFiles, THREADS } from '../../src/executable/contents.ts';
import { suite } from '../support/suite.ts';

const test = suite('repo: assets');
const ROOT = join(import.meta.dirname, '../..');
/** Left out on purpose: the face encoder and its weights, and what makes packages, executables and weights. */
const LEFT_OUT = /^(?:node_modules\/(?!swagger)|dist\/encoder$)/;
const BUILDS = /^src\/(?:build\/|sdk\/|executable\/|release\/|encoder\/main\.ts$)/;

const sources = new Map(
  globSync('src/**/*.{ts,tsx}', { cwd: ROOT })
    .filter(file => !BUILDS.test(file))
    .map(file => [file, readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')]),
);
const packed = packedFiles(ROOT);
const namedIn = (text: string) =>
  [...text.matchAll(/(?<!\/)['"`]((?:src|dist|node_modules)\/[^'"`$]+)['"`]/g)].map(([, path = '']) => path);

test('every path that the source names is packed: a file, a thread, or a folder of files', () => {
  const named = [...sources.values()].flatMap(namedIn).filter(path => !LEFT_OUT.test(path));
  assert.ok(named.length > 8, 'paths were found');
  const known = [...packed, ...THREADS];
  assert.equal(
    named.filter(path => !known.some(file => file === path || file.startsWith(`${path}/`))),
    [],
  );
});

test('the threads that the source starts are the ones that are packed', () => {
  const started = [...sources.values()].flatMap(text =>
    [...text.matchAll(/startThread\(\s*'([^']+)'/g)].map(([, entry]) => entry),
  );
  assert.equal(started.sort(), [...THREADS].sort());
});

test('only src/assets.ts asks where the code lies, and starts threads by a path', () => {
  const wrong = [...sources].filter(
    ([file, text]) => file !== 'src/assets.ts' && /import\.meta|__dirname|createRequire/.test(text),
  );
  assert.equal(
    wrong.map(([file]) => file),
    [],
  );
  // Tests of the matcher start an entry of their own, and pages one of the browser's.
  const starting = [...sources].filter(([, text]) => /\bnew Worker\(/.test(text)).map(([file]) => file);
  assert.equal(starting.sort(), [
    'src/adapters/wasm/link.ts',
    'src/assets.ts',
    'src/portal/app/pages/calibrate.tsx',
  ]);
});

test('files and folders are found, and what is not there is not', () => {
  const folder = 'src/adapters/sql/migrations';
  const [first = ''] = assetsIn(folder);
  assert.is(first, '001-service.sql');
  assert.ok(hasAsset(`${folder}/${first}`));
  assert.match(readText(`${folder}/${first}`), /CREATE TABLE/);
  assert.not.ok(hasAsset(`${folder}/none.sql`));
  assert.equal(assetsIn('src/none'), []);
  assert.throws(() => readAsset('src/none'), /ENOENT/);
});

test.run();
