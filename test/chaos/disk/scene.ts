/**
 * One fault, from beginning to end: load on a healthy service, the fault under it, its end, the service as it is then
 * without a restart, more load, kill -9, and the service as it is after a start.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Place } from '../../support/disk-places.ts';
import type { Env } from '../../support/process.ts';
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

export interface Stage {
  readonly place: Place;
  readonly context: Context;
  program: Program;
}

/** A service with an app on the fault's kind of folder. */
export async function withStage<Answer>(
  place: Place,
  seed: number,
  say: (line: string) => void,
  body: (stage: Stage) => Promise<Answer>,
  env: Env = {},
): Promise<Answer> {
  let stage: Stage | null = null;
  try {
    const { dataDir } = place;
    const context = await contextIn(dataDir, seed, say);
    place.prepare();
    stage = { place, context, program: await startProgram({ dataDir, prefix: place.prefix, env }) };
    enter(context, stage.program);
    context.cycle = 1;
    return await body(stage);
  } finally {
    await stage?.program.end('SIGKILL');
    place.remove();
  }
}

export async function playScene(
  fault: Fault,
  { seed, connections, seconds }: { seed: number; connections: number; seconds: number },
  say: (line: string) => void,
) {
  return withStage(fault.place(), seed, say, async stage => {
    const { context, place } = stage;
    let slowestMs = 0;
    context.around = async (_method, _path, sent, send) => {
      const began = performance.now();
      return send(sent).finally(() => {
        slowestMs = Math.max(slowestMs, performance.now() - began);
      });
    };
    await loadFor(context, connections, HEALTHY_LOAD_MS);
    const end = await fault.begin({ dataDir: place.dataDir, pid: stage.program.pid });
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
    if (stage.program.isOver()) context.findings.add('ended', stage.program.printed());
    else {
      await look(context);
      await loadFor(context, connections, AFTER_LOAD_MS, () => kill(stage));
    }
    await startAndLook(stage);
    const { findings, total } = context;
    return { findings, acknowledged: total.acknowledged, failed, slowestMs, health, made, recoveredMs };
  });
}

/** Kills it, with requests under way when there is load, and looks at what is there after a start. */
export async function kill({ context, program }: Stage): Promise<void> {
  context.isOver = () => true;
  await program.end('SIGKILL');
}

export async function startAndLook(stage: Stage): Promise<void> {
  const { dataDir, prefix } = stage.place;
  stage.program = await startProgram({ dataDir, prefix });
  enter(stage.context, stage.program);
  await look(stage.context);
}

/** Everything that the log of the clients says, against the database and the service as it runs. */
export async function look(context: Context): Promise<void> {
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
export async function recovery(context: Context): Promise<number | null> {
  const began = performance.now();
  while (performance.now() - began < RECOVERY_MS) {
    if ((await healthOf(context.base)) === 200) return performance.now() - began;
    await delay(POLL_MS);
  }
  return null;
}
