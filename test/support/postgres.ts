/**
 * A PostgreSQL server of the tests' own, of Debian's package, in a temporary folder: without durability, because what is
 * tested is the service, and gone with the process that started it. Tests that crash the server have their own.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  globSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

const OLDEST = 15;
/** Counts and sums as numbers. */
const NUMBERS = new pg.TypeOverrides();
for (const type of [20, 1700]) NUMBERS.setTypeParser(type, Number);
const NOT_DURABLE = [
  ...[
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'wal_level=minimal',
    'max_wal_senders=0',
  ],
  ...['autovacuum=off', 'checkpoint_timeout=1h', 'max_wal_size=4GB', 'jit=off'],
];

export interface PostgresServer {
  readonly port: number;
  /** `postgres://…/NAME` of a database of it. */
  urlOf(database: string): string;
  /** As its superuser, in the database `postgres` or another. */
  query<Row>(text: string, database?: string): Promise<Row[]>;
  /** All that the files of a database hold; not the write-ahead log. */
  bytesOf(database: string): Promise<Buffer>;
  /** Kills it. Its data stays, for `boot`. */
  crash(): Promise<void>;
  /** Starts it again on its data and its port. */
  boot(): Promise<void>;
  /** Kills it, and starts it on its data as a standby, for good. Needs `wal_level=replica`. */
  demote(): Promise<void>;
  /** Ends it at once, and removes its data. */
  stop(): void;
}

/** The folder of its programs; null: not installed. */
export function postgresPrograms(): string | null {
  const found = globSync('/usr/lib/postgresql/*/bin/initdb')
    .map(path => ({ folder: join(path, '..'), version: Number(path.split('/')[4]) }))
    .filter(({ version }) => version >= OLDEST)
    .sort((a, b) => b.version - a.version);
  return found[0]?.folder ?? null;
}

/** Whether tests of it can run. Where they are only listed, they are: the list is the same on every machine. */
export const hasPostgres = () => process.env.TEST_LIST === '1' || postgresPrograms() !== null;

/**
 * The words before a command of PostgreSQL, which refuses to run as root.
 * @param signal what the command gets when the process that started it ends
 */
export function asPostgres(signal: 'QUIT' | 'KILL'): string[] {
  const words = ['setpriv', '--pdeathsig', signal];
  return isRoot() ? [...words, '--reuid', 'postgres', '--regid', 'postgres', '--clear-groups'] : words;
}

/** Lets those commands write to a folder. */
export function giveToPostgres(folder: string): void {
  if (!isRoot()) return;
  const id = (flag: string) => Number(run(['id', flag, 'postgres']));
  chownSync(folder, id('-u'), id('-g'));
}

const isRoot = () => process.getuid?.() === 0;

const run = (words: readonly string[]) => {
  const [command = '', ...rest] = words;
  return execFileSync(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
};

export async function startPostgres(settings: readonly string[] = NOT_DURABLE): Promise<PostgresServer> {
  const programs = postgresPrograms();
  if (!programs)
    throw new Error(`PostgreSQL ${OLDEST} or newer is not installed: apt-get install postgresql`);
  const folder = mkdtempSync(join(tmpdir(), 'face-sign-in-postgres-'));
  giveToPostgres(folder);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  run([
    ...asPostgres('QUIT'),
    ...[join(programs, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust'],
    ...['-E', 'UTF8', '--locale', 'C', '--no-sync'],
  ]);
  const port = await freePort();
  const [command = '', ...words] = asPostgres('QUIT');
  const options = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=`,
    'max_connections=300',
    'shared_buffers=64MB',
    ...settings,
  ];
  const log = join(folder, 'log');
  let server: ChildProcess;
  const begin = () => {
    const output = openSync(log, 'a');
    server = spawn(
      command,
      [...words, join(programs, 'postgres'), '-D', data, ...options.flatMap(each => ['-c', each])],
      // A group of its own: what ends this process's group with SIGKILL would leave shared memory behind.
      { stdio: ['ignore', output, output], detached: true, cwd: folder },
    );
    closeSync(output);
    server.unref();
  };
  begin();
  const stop = once(() => end(server, folder));
  process.once('exit', stop);

  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const query = async <Row>(text: string, database = 'postgres') => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database, types: NUMBERS });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  const bytesOf = async (database: string) => {
    await query('CHECKPOINT');
    const [row] = await query<{ oid: number }>(`SELECT oid FROM pg_database WHERE datname = '${database}'`);
    const files = globSync(join(data, 'base', String(row?.oid), '*'));
    return Buffer.concat(files.map(file => readFileSync(file)));
  };
  const answers = async () => {
    for (let tries = 0; ; tries++) {
      try {
        return await query('SELECT 1');
      } catch (error) {
        if (tries === 200) throw new Error(`${error}\n${readFileSync(log, 'utf8').slice(-2_000)}`);
        // Processes of one that was killed may still hold its memory, and a passing connection its port.
        if (server.exitCode !== null) begin();
        await delay(50);
      }
    }
  };
  const crash = async () => {
    const ended = new Promise(done => server.once('exit', done));
    // Its processes would go on serving the connections that they have.
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
      .trim()
      .split(' ');
    for (const pid of [server.pid ?? 0, ...children.map(Number)]) process.kill(pid, 'SIGKILL');
    await ended;
  };
  const boot = async () => {
    begin();
    await answers();
  };
  await answers();
  return {
    port,
    urlOf,
    query,
    bytesOf,
    stop,
    crash,
    boot,
    async demote() {
      await crash();
      // Only its presence counts.
      writeFileSync(join(data, 'standby.signal'), '', { mode: 0o644 });
      await boot();
    },
  };
}

function end(server: ChildProcess, folder: string): void {
  try {
    process.kill(server.pid ?? 0, 'SIGQUIT');
  } catch {
    // It has ended.
  }
  for (let tries = 0; tries < 100 && existsSync(join(folder, 'data/postmaster.pid')); tries++)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  rmSync(folder, { recursive: true, force: true });
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
