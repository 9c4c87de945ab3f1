/**
 * What systemd is told, and when: with a program of our own in place of `systemd-notify`, and, where there are systemd and
 * Python, over a real datagram socket.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { createSupervisor } from '../../src/cli/supervisor.ts';
import { newDataDir, serve, tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: supervisor');
const WATCHDOG_USEC = '300000';
const pause = () => new Promise(resume => setTimeout(resume, 20));

/** A folder with a `systemd-notify` that writes down what it is given, and whether it could be told from a real one. */
function standIn(script = 'printf "%s\\n" "$*" >> "$NOTIFY_SOCKET.notified"') {
  const folder = tempFolder();
  const program = join(folder, 'systemd-notify');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  const socket = join(folder, 'notify');
  const notified = (): string[] =>
    existsSync(`${socket}.notified`) ? readFileSync(`${socket}.notified`, 'utf8').trimEnd().split('\n') : [];
  return { env: { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: socket }, notified };
}

async function until(check: () => boolean): Promise<void> {
  while (!check()) await pause();
}

/** Processes that a process has started, where the system tells. */
function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
}

/** Starts, waits for some pings, stops; and wants the messages in order. */
async function assertNotified(env: Record<string, string>, notified: () => string[]): Promise<void> {
  const server = await serve({ ...env, WATCHDOG_USEC, DATA_DIR: newDataDir() });
  const pings = () => notified().filter(line => line === 'WATCHDOG=1').length;
  await until(() => pings() >= 3);
  const helpers = childrenOf(server.pid);
  assert.is(helpers.length, existsSync('/proc') ? 1 : 0);
  // systemd sends its signal to every process of the unit.
  for (const helper of helpers) process.kill(helper, 'SIGTERM');
  const { stderr } = await server.stop();
  assert.not.match(stderr, /systemd/);
  await until(() => notified().some(line => line.startsWith('STOPPING=1')));
  const [starting, ready, ...rest] = notified();
  assert.match(starting ?? '', /^STATUS=Opening the database EXTEND_TIMEOUT_USEC=[1-9]\d{7,}$/);
  assert.is(ready, `READY=1 STATUS=API ${server.base}, portal ${server.portal}`);
  assert.is(
    rest.filter(line => line !== 'WATCHDOG=1').join('\n'),
    'STOPPING=1 STATUS=Waiting for running requests',
  );
  const after = notified().length;
  await new Promise(resume => setTimeout(resume, 400));
  assert.is(notified().length, after, 'the dead tell nothing');
  await until(() => helpers.every(helper => !existsSync(`/proc/${helper}`)));
}

test('start, readiness, pings and the stop are reported, in this order', async () => {
  const { env, notified } = standIn();
  await assertNotified(env, notified);
});

test('without a socket nothing is run', async () => {
  const { env, notified } = standIn();
  const lines: string[] = [];
  const supervisor = createSupervisor({ PATH: env.PATH, WATCHDOG_USEC }, line => void lines.push(line));
  supervisor.starting();
  supervisor.ready('x');
  supervisor.stopping();
  await new Promise(resume => setTimeout(resume, 200));
  assert.equal([notified(), lines], [[], []]);
});

test('without a watchdog, or with that of another process, there are no pings', async () => {
  for (const watchdog of [{}, { WATCHDOG_USEC: '0' }, { WATCHDOG_USEC, WATCHDOG_PID: '1' }]) {
    const { env, notified } = standIn();
    createSupervisor({ ...env, ...watchdog }, () => undefined).ready('x');
    await until(() => notified().length === 1);
    await new Promise(resume => setTimeout(resume, 300));
    assert.equal(notified(), ['READY=1 STATUS=x']);
  }
});

test('messages arrive in their order, however long each takes', async () => {
  const { env, notified } = standIn(
    'case "$1" in STATUS*) sleep 0.3;; esac; printf "%s\\n" "$1" >> "$NOTIFY_SOCKET.notified"',
  );
  const supervisor = createSupervisor(env, () => undefined);
  supervisor.starting();
  supervisor.ready('x');
  supervisor.stopping();
  await until(() => notified().length === 3);
  assert.equal(notified(), ['STATUS=Opening the database', 'READY=1', 'STOPPING=1']);
});

test('where systemd cannot be told, one line says so, and the service runs', async () => {
  for (const [env, why] of [
    [{ ...standIn('exit 1').env }, /systemd-notify: exit code 1/],
    [{ NOTIFY_SOCKET: '/nowhere', PATH: tempFolder() }, /systemd-notify: exit code 127/],
  ] as const) {
    const server = await serve({ ...env, WATCHDOG_USEC, DATA_DIR: newDataDir() });
    assert.is((await fetch(`${server.base}/health`)).status, 200);
    const { stderr } = await server.stop();
    const lines = stderr.split('\n').filter(line => line.includes('systemd'));
    assert.is(lines.length, 1, stderr);
    assert.match(lines[0] ?? '', why);
    assert.match(lines[0] ?? '', /Type=exec/);
  }
});

const RECEIVER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
with open(sys.argv[1] + ".notified", "a") as out:
    while True:
        lines = s.recv(65536).decode().split("\\n")
        if "BARRIER=1" not in lines:
            print(" ".join(line for line in lines if line), file=out, flush=True)
`;
const has = (program: string) => spawnSync(program, ['--version']).status === 0;

if (has('systemd-notify') && has('python3'))
  test('over a real socket, by the real program', async () => {
    const socket = join(tempFolder(), 'notify');
    const receiver = spawn('python3', ['-c', RECEIVER, socket], { stdio: 'ignore' });
    try {
      await until(() => existsSync(`${socket}.notified`));
      const notified = () => readFileSync(`${socket}.notified`, 'utf8').split('\n').filter(Boolean);
      await assertNotified({ NOTIFY_SOCKET: socket }, notified);
    } finally {
      receiver.kill('SIGKILL');
    }
  });

test.run();
