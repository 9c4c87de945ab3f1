/** Files are there whole or not at all, readable for web servers, and left alone when they are right. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { place } from '../../src/encoder/place.ts';
import { tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('encoder: place');
const modeOf = (path: string) => statSync(path).mode & 0o777;

test('a new file is readable for everybody, in folders that are too, whatever the umask', () => {
  const before = process.umask(0o077);
  try {
    const folder = tempFolder();
    assert.is(place(join(folder, 'a/b/file'), Buffer.from('x')), true);
    assert.equal([modeOf(join(folder, 'a')), modeOf(join(folder, 'a/b'))], [0o755, 0o755]);
    assert.is(modeOf(join(folder, 'a/b/file')), 0o644);
    assert.is(modeOf(folder), 0o700, 'what was there stays as it was');
    assert.equal(readdirSync(join(folder, 'a/b')), ['file'], 'no draft is left');
  } finally {
    process.umask(before);
  }
});

test('the same content is left alone, another one is replaced', () => {
  const file = join(tempFolder(), 'file');
  place(file, Buffer.from('one'));
  chmodSync(file, 0o600);
  const { ino } = statSync(file);
  assert.is(place(file, Buffer.from('one')), false);
  assert.equal([statSync(file).ino, modeOf(file)], [ino, 0o600]);
  assert.is(place(file, Buffer.from('two')), true);
  assert.equal([readFileSync(file, 'utf8'), modeOf(file)], ['two', 0o644]);
  assert.is.not(statSync(file).ino, ino, 'renamed into its place: whoever reads the old one reads on');
});

test('a write that fails halfway leaves no draft, and what was there', () => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, 'old');
  // No process of this shell can write a file of more than a few kilobytes.
  const limited = ['-c', 'ulimit -f 8 && exec "$0" "$@"', process.execPath, '--input-type=module', '-e'];
  const module = pathToFileURL(join(import.meta.dirname, '../../src/encoder/place.ts'));
  const script = `import { place } from '${module}'; place(process.argv[1], Buffer.alloc(100_000));`;
  const { status, stderr } = spawnSync('sh', [...limited, script, file], { encoding: 'utf8' });
  assert.is(status, 1);
  assert.match(stderr, /EFBIG/);
  assert.is(readFileSync(file, 'utf8'), 'old');
  assert.equal(readdirSync(dirname(file)), ['file']);
});

test('what is in the way stays, and no draft is left', () => {
  const folder = tempFolder();
  // No file can be renamed onto a folder that has something in it.
  mkdirSync(join(folder, 'file/inside'), { recursive: true });
  assert.throws(() => place(join(folder, 'file'), Buffer.from('x')), /EISDIR/);
  writeFileSync(join(folder, 'in-the-way'), '');
  assert.throws(() => place(join(folder, 'in-the-way/file'), Buffer.from('x')), /ENOTDIR/);
  assert.throws(() => place('/proc/none/file', Buffer.from('x')), /ENOENT/);
  assert.equal(readdirSync(folder), ['file', 'in-the-way']);
});

test.run();
