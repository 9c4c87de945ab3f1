/**
 * Three machines of src/packaging/cluster, each an address of this one: etcd, and PostgreSQL under Patroni, with the
 * files that operators copy. Nothing in them is changed but names, addresses, passwords and paths.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { changed } from '../../support/packaged.ts';
import { asPostgres, giveToPostgres, postgresPrograms } from '../../support/postgres.ts';
import { ROOT, tempFolder } from '../../support/process.ts';

const FILES = join(ROOT, 'src/packaging/cluster');
const PATRONI = '/usr/bin/patroni';
export const NAMES = ['node1', 'node2', 'node3'] as const;
export type Name = (typeof NAMES)[number];
export const SUPERUSER_PASSWORD = 'super';

export interface Machine {
  readonly name: Name;
  readonly address: string;
  /** Starts what does not run: etcd, and Patroni, which starts PostgreSQL. */
  boot(): void;
  /** `systemctl stop patroni`: PostgreSQL ends with it, after another machine could take over. */
  stopPatroni(): Promise<void>;
  /** Processes of its PostgreSQL whose command line matches; the first one started all others. */
  postgres(like?: RegExp): number[];
  /** `kill -9` of everything on it. */
  kill(): void;
  /** Everything on it stops, and says nothing more: connections to it stay open. */
  freeze(): void;
  /** The end of what Patroni has logged. */
  log(): string;
}

export function makeMachines() {
  const folder = tempFolder();
  giveToPostgres(folder);
  chmodSync(folder, 0o755);
  // Two runs at once are on other addresses.
  const net = `127.${64 + ((process.pid >> 8) & 63)}.${process.pid & 255}`;
  const addressOf = (name: Name) => `${net}.${NAMES.indexOf(name) + 1}`;
  const [command = '', ...words] = asPostgres('KILL');
  const certificates = NAMES.map(name => `${name}=${addressOf(name)}`);
  execFileSync(command, [...words, 'sh', join(FILES, 'certificates.sh'), ...certificates], {
    cwd: folder,
    stdio: 'pipe',
  });
  const all = NAMES.map(name => makeMachine(name, addressOf(name), net, folder));
  process.once('exit', () => {
    for (const machine of all) machine.kill();
  });
  return { all, authority: join(folder, 'ca.pem') };
}

function makeMachine(name: Name, address: string, net: string, folder: string): Machine {
  const own = join(folder, `${name}-files`);
  mkdirSync(own);
  chmodSync(own, 0o777);
  const data = join(own, 'postgres');
  const file = (from: string, changes: readonly (readonly [string, string])[]) =>
    changed(`cluster/${from}`, [
      ['THIS_NAME', name],
      ['THIS_ADDRESS', address],
      ['10.0.0.', `${net}.`],
      ...changes,
    ]);
  const config = join(own, 'patroni.yml');
  const patroni = file('patroni.yml', [
    ['/etc/patroni/tls/ca.pem', join(folder, 'ca.pem')],
    ['/etc/patroni/tls/server.', join(folder, `${name}.`)],
    ['/var/lib/postgresql/15/face-sign-in', data],
    ['/usr/lib/postgresql/15/bin', postgresPrograms() ?? ''],
    ['/var/run/postgresql', own],
    ['PASSWORD2', SUPERUSER_PASSWORD],
  ]);
  writeFileSync(config, patroni);
  const settings = file('etcd', [['/var/lib/etcd/face-sign-in', join(own, 'etcd')]])
    .split('\n')
    .filter(line => /^\w+=/.test(line))
    .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  const etcd = Object.fromEntries(settings);
  const unit = changed('cluster/patroni.conf', [['/var/run/postgresql', own]]);
  const onStop = asPostgres('KILL').concat(/^ExecStop=-(.*)$/m.exec(unit)?.[1]?.split(' ') ?? []);
  const logFile = join(own, 'log');
  const started = new Map<string, ChildProcess>();

  function start(program: string, args: readonly string[], env: Readonly<Record<string, string>>): void {
    if (started.has(program)) return;
    // What Patroni starts ends with it, and it with us.
    const [command = '', ...words] = asPostgres('KILL');
    const log = openSync(logFile, 'a');
    const child = spawn(command, [...words, program, ...args], {
      cwd: own,
      env: { PATH: process.env.PATH, HOME: own, ...env },
      stdio: ['ignore', log, log],
    });
    child.unref();
    started.set(program, child);
  }

  const postgres = (like = /./) =>
    familyOf(join(data, 'postmaster.pid')).filter(pid => like.test(commandOf(pid)));

  return {
    name,
    address,
    postgres,
    boot() {
      start('/usr/bin/etcd', [], etcd);
      start(PATRONI, [config], {});
    },
    async stopPatroni() {
      const patroni = started.get(PATRONI);
      if (!patroni) throw new Error(`Patroni does not run on ${name}`);
      started.delete(PATRONI);
      const ended = once(patroni, 'exit');
      const [command = '', ...words] = onStop;
      await promisify(execFile)(command, words);
      patroni.kill('SIGTERM');
      await ended;
    },
    kill() {
      // First what could start the rest again.
      for (const child of started.values()) child.kill('SIGKILL');
      started.clear();
      for (const pid of postgres()) kill(pid, 'SIGKILL');
    },
    freeze() {
      for (const child of started.values()) child.kill('SIGSTOP');
      for (const pid of postgres()) kill(pid, 'SIGSTOP');
    },
    log: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8').slice(-2_000) : ''),
  };
}

/** The process of the file, and its children; none when it is gone. */
function familyOf(pidFile: string): number[] {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    // The file outlives a kill, and the number may be somebody else's by now.
    if (!commandOf(pid).includes(dirname(pidFile))) return [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return [pid, ...children.filter(Boolean).map(Number)];
  } catch {
    return [];
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
}

/** @throws Error with what was waited for */
export async function until(
  check: () => Promise<boolean>,
  what: () => string,
  patienceMs: number,
): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await check().catch(() => false))) {
    if (performance.now() > end) throw new Error(`not within ${patienceMs / 1_000} s: ${what()}`);
    await delay(100);
  }
}
