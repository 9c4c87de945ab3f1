/**
 * One fault, from beginning to end: load on a healthy service, the fault under it, its end, the service as it is then
 * without a restart, more load, kill -9, and the service as it is after a start.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { compareAnswers } from '../crash/compare-answers.ts';
import { compareRows } from '../crash/compare-rows.ts';
import { type Context, contextIn, enter } from '../crash/context.ts';
import { startLoad } from '../crash/load.ts';
import { healthOf, type Program, startProgram } from '../crash/program.ts';
import type { Fault } from './faults.ts';

const HEALTHY_LOAD_MS = 800;
const AFTER_LOAD_MS = 400;
const POLL_MS = 100;
/** For a service to be healthy again, once the fault has ended. */
export const RECOVERY_MS = 5_000;

export type Scene = Awaited<ReturnType<typeof playScene>>;

export async function playScene(
  fault: Fault,
  { seed, connections, seconds }: { seed: number; connections: number; seconds: number },
  say: (line: string) => void,
) {
  const place = fault.place();
  const { dataDir, prefix } = place;
  let program: Program | null = null;
  try {
    const context = await contextIn(dataDir, seed, say);
    place.prepare();
    program = await startProgram({ dataDir, prefix });
    const { pid, isOver, printed } = program;
    enter(context, program);
    context.cycle = 1;
    let slowestMs = 0;
    context.around = async (_method, _path, sent, send) => {
      const began = performance.now();
      return send(sent).finally(() => {
        slowestMs = Math.max(slowestMs, performance.now() - began);
      });
    };
    await loadFor(context, connections, HEALTHY_LOAD_MS);
    const end = await fault.begin({ dataDir, pid });
    context.mayFail = true;
    const failedBefore = context.total.failed;
    const load = startLoad(context, connections);
    let made = '';
    /** One a tenth of a second, under the fault. */
    const health: number[] = [];
    try {
      for (const over = performance.now() + seconds * 1_000; performance.now() < over; await delay(POLL_MS))
        health.push(await healthOf(context.base, 15_000));
    } finally {
      made = await end();
    }
    await load.stop();
    const failed = context.total.failed - failedBefore;
    const recoveredMs = await recovery(context);
    context.mayFail = false;
    if (isOver()) context.findings.add('ended', printed());
    else {
      await look(context);
      // With requests under way.
      await loadFor(context, connections, AFTER_LOAD_MS, async () => {
        context.isOver = () => true;
        await program?.end('SIGKILL');
      });
    }
    program = await startProgram({ dataDir, prefix });
    enter(context, program);
    await look(context);
    const { findings, total } = context;
    return { findings, acknowledged: total.acknowledged, failed, slowestMs, health, made, recoveredMs };
  } finally {
    await program?.end('SIGKILL');
    place.remove();
  }
}

/** Everything that the log of the clients says, against the database and the service as it runs. */
async function look(context: Context): Promise<void> {
  await compareRows(context);
  await compareAnswers(context);
  context.cycle += 1;
}

async function loadFor(
  context: Context,
  connections: number,
  ms: number,
  before?: () => Promise<void>,
): Promise<void> {
  const load = startLoad(context, connections);
  await delay(ms);
  await before?.();
  await load.stop();
}

/** Milliseconds until /health says 200; null: not in time. */
async function recovery(context: Context): Promise<number | null> {
  const began = performance.now();
  while (performance.now() - began < RECOVERY_MS) {
    if ((await healthOf(context.base)) === 200) return performance.now() - began;
    await delay(POLL_MS);
  }
  return null;
}
