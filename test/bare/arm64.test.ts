/** The executable for arm64, built on x64 and run by an emulator. On arm64 itself it is what every other test of it runs. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Copy, copy } from '../dist/copy.ts';
import { call, enrolled, match, verify } from '../support/client.ts';
import { ROOT, tempFolder } from '../support/process.ts';
import type { Running, TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { emulatorOfArm64 } from './arm64.ts';

const test = suite('bare: arm64');
const isElsewhere = process.arch !== 'x64';
const ORIGIN = 'https://shop.example';
const AARCH64 = 183;
/** An emulator is ten times slower. */
const PATIENT = { readyMs: 120_000 };
let emulator: string[];
let warm: Copy;
let cold: Copy;

test.before(() => {
  if (!isElsewhere) emulator = emulatorOfArm64();
});

/** Builds it, and takes what the build printed. */
function built(file: string, ...options: string[]): string {
  const args = ['src/executable/main.ts', '--platform', 'linux-arm64', '--out', file, ...options];
  return execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
}

test('it is built on x64, and the build says what only an emulator can do', () => {
  if (isElsewhere) return;
  const [one, other] = [join(tempFolder(), 'cold'), join(tempFolder(), 'warm')];
  const alone = built(one);
  assert.match(alone, /^no code cache: without --emulator, linux-x64 cannot make it/m);
  assert.match(alone, /^not checked: without --emulator, linux-x64 cannot start it$/m);
  const helped = built(other, '--emulator', emulator.join(' '));
  assert.not.match(helped, /^no code cache|^not checked/m);
  for (const said of [alone, helped])
    assert.match(said, /^face-sign-in \S+ → \S+: \d+\.\d MB, for linux-arm64 and glibc 2\.34 and newer$/m);
  cold = copy(one, emulator);
  warm = copy(other, emulator);
  for (const { file } of [cold, warm]) {
    const bytes = readFileSync(file);
    assert.equal([bytes.toString('latin1', 1, 4), bytes.readUInt16LE(18)], ['ELF', AARCH64]);
    assert.ok(bytes.includes('\nnode-linux-arm64 '), 'the licence is that of its Node.js');
  }
});

test('without a code cache it runs', async () => {
  if (isElsewhere) return;
  const { node, simd } = await cold.json(['--version']);
  assert.equal([node, simd], [process.versions.node, 'relaxed']);
});

test('it makes an app, serves, and signs people in with a token that holds', async () => {
  if (isElsewhere) return;
  const server = await warm.serve({}, PATIENT);
  const { app: made } = await warm.json(['app', 'create', '--name', 'Shop', '--origin', ORIGIN]);
  const key = async (type: string) =>
    (await warm.json(['key', 'create', '--app', made.id, '--type', type, '--mode', 'live'])).key;
  const live = { pk: await key('publishable'), sk: await key('secret') };
  const app = { origin: ORIGIN, live } as TestApp;
  const at = { base: server.base } as Running;
  assert.is((await call(at, 'GET', '/health')).json.status, 'ok');
  const { user } = await enrolled(at, app);
  const found = await match(at, app);
  assert.equal([found.status, found.json.user.id], [200, user.id]);
  assert.is((await verify(at, app, found.json.token)).json.valid, true);
  await server.stop();
});

test.run();
