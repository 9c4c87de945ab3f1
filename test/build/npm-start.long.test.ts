/**
 * `npm start` on a checkout that was never built, and again: nothing but the log on stdout, nothing built twice, nothing built
 * in vain.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { environment, logLines, newDataDir, ROOT, tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('build: npm start');
const root = tempFolder();
const env = environment({ DATA_DIR: newDataDir() });
const PARTS = [
  'assembly',
  'asconfig.json',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'src',
  'tsconfig.json',
];
const CORE = join(root, 'dist/core/matcher.wasm');
const SDK = join(root, 'dist/sdk/browser/index.js');
const KEY = /svc_[sp]k_(?:test|live)_/;
const children = new Set<ChildProcess>();
/** npm, and the server beneath it. */
const killAll = () => {
  for (const { pid } of children) if (pid) process.kill(-pid, 'SIGKILL');
  children.clear();
};
process.on('exit', killAll);

test.before(() => {
  for (const part of PARTS) cpSync(join(ROOT, part), join(root, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
});

test.after(killAll);

/** Starts it and waits until it is ready. */
async function start(...options: string[]) {
  const child = spawn('npm', ['start', ...options], { cwd: root, env, detached: true });
  children.add(child);
  const printed = { stdout: '', stderr: '' };
  const closed = once(child, 'close').finally(() => children.delete(child));
  const ready = new Promise<void>((done, fail) => {
    child.stdout.setEncoding('utf8').on('data', text => {
      printed.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', text => {
      printed.stderr += text;
      if (/ is ready\n[\s\S]*\n\n/.test(printed.stderr)) done();
    });
    void closed.then(() => fail(new Error(`it ended: ${JSON.stringify(printed)}`)));
  });
  await ready;
  return {
    printed,
    async stop() {
      process.kill(-(child.pid as number), 'SIGTERM');
      await closed;
      return printed;
    },
  };
}

const made = () => [CORE, SDK].map(file => statSync(file).ino);

test('the first one builds, shows the keys, and writes only the log to stdout', async () => {
  const { stdout, stderr } = await (await start('-s')).stop();
  assert.ok(logLines(stdout).some(({ msg }) => msg === 'listening'));
  assert.match(stderr, /^built dist\/core$[\s\S]*^built dist\/sdk$/m);
  assert.match(stderr, KEY);
  assert.match(stderr, /npm run demo[\s\S]*\/try\n/);
});

test('the next one builds nothing, and shows the addresses again, but no key', async () => {
  const before = made();
  const server = await start();
  assert.equal(made(), before);
  const { stdout, stderr } = await server.stop();
  assert.not.match(stderr, /built/);
  assert.not.match(stderr, KEY);
  assert.match(stderr, /See a sign-in \(in another terminal\): {2}PORT=\d+ npm run demo\n/);
  const portal = /Portal +(\S+)/.exec(stderr)?.[1];
  assert.ok(stderr.includes(`Try it with your own face (in a browser):  ${portal}/try\n`), stderr);
  // npm says which scripts it runs, in lines that begin with >.
  logLines(
    stdout
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('> '))
      .concat('')
      .join('\n'),
  );
});

test('one that would be refused is refused before anything is built', async () => {
  const refused = (settings: Record<string, string> = {}) => {
    const { status, stdout, stderr } = spawnSync('npm', ['start', '-s'], {
      cwd: root,
      env: { ...env, ...settings },
      encoding: 'utf8',
    });
    assert.is(stdout, '');
    assert.not.ok(existsSync(CORE), stderr);
    return { status, stderr };
  };
  const server = await start('-s');
  rmSync(CORE);
  const second = refused();
  assert.is(second.status, 1);
  assert.match(
    second.stderr,
    /^face-sign-in: another server runs on the data folder [^\n]+: stop it, or set DATA_DIR [^\n]+\n$/,
  );
  await server.stop();
  const wrong = refused({ PORT: 'x' });
  assert.is(wrong.status, 2);
  assert.match(wrong.stderr, /^face-sign-in: PORT must be a whole number [^\n]+\n$/);
  const DATA_DIR = newDataDir();
  refused({ DATA_DIR, DEMO: 'x' });
  assert.not.ok(existsSync(DATA_DIR));
});

test.run();
