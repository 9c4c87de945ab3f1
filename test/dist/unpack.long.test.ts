/** The database engine of the executable: unpacked where nobody else can reach it, gone at once, and never doubted twice. */
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { assertRefused, madeDataDir } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { type Copy, copy } from './copy.ts';

const test = suite('dist: unpacking');
const NOBODY = 65_534;
/** Opening it needs the engine; it is not made by what only looks. */
const DATA_DIR = await madeDataDir();
let own: Copy;

const unpacked = () => readdirSync('/tmp').filter(name => /^face-sign-in-\w{6}$/.test(name));

test.before(() => {
  own = copy();
});

test('many starts at once do not touch each other, and leave nothing behind', async () => {
  const TMPDIR = join(own.folder, 'tmp');
  mkdirSync(TMPDIR);
  const all = await Promise.all(
    Array.from({ length: 12 }, () => own.run(['app', 'list', '--json'], { TMPDIR, DATA_DIR })),
  );
  for (const { code, stderr, stdout } of all)
    assert.equal([code, stderr, JSON.parse(stdout)], [0, '', { apps: [] }]);
  assert.equal(readdirSync(TMPDIR), []);
});

test('where it cannot be written, another place is taken; where others could exchange it, none of theirs', async () => {
  const open = join(own.folder, 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  const before = new Set(unpacked());
  for (const TMPDIR of [join(own.folder, 'none'), open, '/proc'])
    assert.is((await own.run(['app', 'list'], { TMPDIR, DATA_DIR })).code, 0, TMPDIR);
  assert.equal(readdirSync(open), []);
  // Other programs on this machine unpack there too, for a moment: what stays is a leftover.
  const left = unpacked().filter(name => !before.has(name));
  for (let looks = 0; left.some(name => unpacked().includes(name)); looks += 1) {
    assert.ok(looks < 300, `still there after 30 seconds: ${left}`);
    await delay(100);
  }
});

test('an executable that was damaged on its way says so', async () => {
  const broken = copy();
  // It comes last of all that is packed: its head is that of the last ELF file within.
  const where = readFileSync(broken.file).lastIndexOf(Buffer.from('\x7fELF\x02\x01\x01', 'latin1'));
  const file = openSync(broken.file, 'r+');
  writeSync(file, Buffer.alloc(8, 0xff), 0, 8, where);
  closeSync(file);
  const line = /this executable is damaged: copy it again/;
  assertRefused(await broken.run(['app', 'list'], { DATA_DIR }), 1, line);
  assert.match((await broken.run(['--help'])).stdout, /face-sign-in/);
});

test('a data folder that the user may not use: exit 2, and the line names it', async () => {
  chmodSync(own.folder, 0o755);
  const theirs = join(own.folder, 'theirs');
  mkdirSync(theirs);
  const uid = process.getuid?.() === 0 ? { uid: NOBODY } : {};
  for (const mode of [0o555, 0o666, 0o333]) {
    chmodSync(theirs, mode);
    assertRefused(await own.run(['serve'], { DATA_DIR: theirs }, uid), 2, /: DATA_DIR .*theirs: .*EACCES/);
  }
  chmodSync(theirs, 0o755);
});

test.run();
