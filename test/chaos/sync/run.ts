/** One traced run of the service under some clients, held to the rule of proof.ts. */
import { spawnSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Env, newDataDir, tempFolder } from '../../support/process.ts';
import { contextIn, enter } from '../crash/context.ts';
import { startProgram } from '../crash/program.ts';
import { type Call, readCalls, type Watcher } from './lines.ts';
import { Proof } from './proof.ts';
import { walk, watchRequests } from './requests.ts';

const CALLS = [
  ...['read', 'readv', 'recvfrom', 'recvmsg', 'write', 'writev', 'sendto', 'sendmsg'],
  ...['pwrite64', 'pwritev', 'pwritev2', 'fdatasync', 'fsync', 'ftruncate'],
];

export interface Traced {
  readonly seed: number;
  readonly clients: number;
  readonly rounds: number;
  readonly env?: Env;
  /** Arguments of strace that make calls fail. */
  readonly faults?: readonly string[];
}

export type Seen = Awaited<ReturnType<typeof tracedRun>>;

export async function tracedRun(
  { seed, clients, rounds, env = {}, faults }: Traced,
  say: (line: string) => void,
) {
  const dataDir = newDataDir();
  const log = join(tempFolder(), 'strace.log');
  const context = await contextIn(dataDir, seed, say);
  const wanted = watchRequests(context);
  const program = await startProgram({
    dataDir,
    prefix: traced(log, CALLS, faults),
    env,
  });
  enter(context, program);
  context.mayFail = faults !== undefined;
  try {
    await Promise.all(Array.from({ length: clients }, (_, client) => walk(context, rounds, client)));
  } finally {
    await program.end('SIGTERM');
  }
  const proof = new Proof(wanted);
  const checkpoints = new Checkpoints();
  const megabytes = Math.round(statSync(log).size / 2 ** 20);
  const lines = await readCalls(log, [proof, checkpoints]);
  rmSync(log);
  const { acknowledged, failed } = context.total;
  say(`${clients} clients: ${acknowledged} acknowledged, ${lines} calls, ${megabytes} MB of log`);
  const texts = [proof.early, proof.journalEarly, checkpoints.faults].flatMap(list => list.slice(0, 3));
  for (const text of texts) say(`  ${text}`);
  return { proof, checkpoints, acknowledged, failed, found: context.findings.all().length };
}

/** @throws Error naming the package that is missing, or why tracing is not allowed here */
export function requireStrace(): void {
  const tried = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
  if (tried.error)
    throw new Error('strace is missing: apt-get install -y strace (Debian; it is in the package "strace")');
  if (tried.status !== 0) throw new Error(`strace may not trace here: ${tried.stderr.trim()}`);
}

/**
 * A command to put before the program. `-D` keeps the program the direct child, so that its process id and its end are
 * seen as ever; the tracer ends with it. There is no io_uring for the program: calls through one would not be seen.
 */
function traced(log: string, calls: readonly string[], more: readonly string[] = []): string[] {
  const trace = `trace=${[...calls, 'io_uring_setup'].join(',')}`;
  const noRing = 'inject=io_uring_setup:error=ENOSYS';
  const shown = ['-ttt', '-y', '-s', '6000', '-o', log];
  return ['strace', '-D', '-f', '--seccomp-bpf', ...shown, '-e', trace, '-e', noRing, ...more];
}

/**
 * The other half of durability: when the write-ahead log is copied into the database file and cut. Each checkpoint, on
 * whichever thread, first syncs the log, then writes the database file, then syncs that, and only then cuts the log.
 */
class Checkpoints implements Watcher {
  readonly faults: string[] = [];
  cuts = 0;
  /** Threads that have synced the log, and have not ended their checkpoint. */
  readonly #ready = new Set<number>();
  #written = 0;
  #syncedSince = 0;

  enters({ name, file, entered, thread }: Call): void {
    if (name.startsWith('pwrite') && file.endsWith('.db') && !this.#ready.has(thread))
      this.faults.push(`line ${entered}: the database was written before the log was synced`);
    if (name !== 'ftruncate' || !file.endsWith('-wal')) return;
    this.cuts += 1;
    if (this.#syncedSince <= this.#written && this.#written > 0)
      this.faults.push(`line ${entered}: the log was cut before the database was synced`);
  }

  leaves({ name, file, entered, left, result, thread }: Call): void {
    const isSync = name === 'fdatasync' || name === 'fsync';
    if (isSync && result === 0 && file.endsWith('-wal')) this.#ready.add(thread);
    if (isSync && result === 0 && file.endsWith('.db')) this.#syncedSince = entered;
    if (isSync && file.endsWith('.db')) this.#ready.delete(thread);
    if (!name.startsWith('pwrite')) return;
    if (file.endsWith('.db')) this.#written = left ?? 0;
    if (file.endsWith('-wal')) this.#ready.delete(thread);
  }
}
