/** One traced run of the service under some clients, held to the rule of proof.ts. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Env, newDataDir, tempFolder } from '../../support/process.ts';
import { contextIn, enter } from '../crash/context.ts';
import { startProgram } from '../crash/program.ts';
import { Checkpoints } from './checkpoints.ts';
import { readCalls } from './lines.ts';
import { Proof } from './proof.ts';
import { walk, watchRequests } from './requests.ts';
import { traced } from './strace.ts';

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
