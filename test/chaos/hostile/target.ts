/** The service under attack: a process of its own with an honest client, watched from outside. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Env, newDataDir } from '../../support/process.ts';
import { handlesOf, memoryOf } from '../../support/process-figures.ts';
import type { TestApp } from '../../support/service.ts';
import { isHealthy, makeApp, startProgram } from '../crash/program.ts';
import type { HonestJob, HonestReport } from './honest-client.ts';

const PEOPLE = 50;
const WARM_UP_MS = 10_000;
const QUIET_MS = 3_000;
const REST_MS = 10_000;
const SAMPLE_MS = 200;

export interface Target {
  readonly base: string;
  readonly app: TestApp;
}

/** Starts a service with these settings, lets the attack loose, rests, and tells what became of the service. */
export async function under(env: Env, attack: (target: Target) => Promise<void>) {
  const dataDir = newDataDir();
  const program = await startProgram({ dataDir, env: { ...env, MAIL_URL: '' } });
  const { pid, base } = program;
  const honest = fork(join(import.meta.dirname, 'honest-client.ts'));
  const report = async (ask: 'report' | 'stop' = 'report') => {
    const answer = once(honest, 'message');
    honest.send(ask);
    return (await answer)[0] as HonestReport;
  };
  try {
    const app = await makeApp(dataDir, env);
    const job: HonestJob = { base, key: app.live.pk, origin: app.origin, people: PEOPLE };
    const enrolled = once(honest, 'message');
    honest.send(job);
    await enrolled;
    await delay(WARM_UP_MS);
    await report();
    await delay(QUIET_MS);
    const quiet = await report();
    const startBytes = memoryOf(pid);
    const startHandles = await lowest(pid, 1_000);
    let peakBytes = startBytes;
    const watch = setInterval(() => {
      if (!program.isOver()) peakBytes = Math.max(peakBytes, memoryOf(pid));
    }, SAMPLE_MS);
    await attack({ base, app }).finally(() => clearInterval(watch));
    const attacked = await report('stop');
    await delay(REST_MS);
    const endBytes = program.isOver() ? Number.NaN : memoryOf(pid);
    const endHandles = program.isOver() ? Number.NaN : await lowest(pid, 1_000);
    const healthy = await isHealthy(base);
    const { code, printed } = await program.end('SIGTERM');
    // Of answers whose caller had gone there may be lines.
    const faults = printed
      .split('\n')
      .filter(line => /"level":"(error|fatal)"/.test(line) && !line.includes('answer could not be sent'));
    const figures = { startBytes, peakBytes, endBytes, startHandles, endHandles };
    return { ...figures, quiet, attacked, healthy, faults, code };
  } finally {
    honest.kill('SIGKILL');
    if (!program.isOver()) await program.end('SIGKILL');
  }
}

/** Handles between the connections of the honest client, which come and go. */
async function lowest(pid: number, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let least = handlesOf(pid);
  while (performance.now() < end) {
    await delay(5);
    least = Math.min(least, handlesOf(pid));
  }
  return least;
}
