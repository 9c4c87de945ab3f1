/** Load, kill -9 at a random moment, start, look: over and over on one folder. */
import { setTimeout as delay } from 'node:timers/promises';
import { newDataDir } from '../../support/process.ts';
import { compareAnswers } from './compare-answers.ts';
import { compareRows } from './compare-rows.ts';
import { type Context, contextIn, enter } from './context.ts';
import { startLoad } from './load.ts';
import { type Program, startProgram } from './program.ts';

/** When after the beginning of the load the program is killed. */
const KILL_FROM_MS = 50;
const KILL_TO_MS = 800;

/** What a test does to be found out. */
export interface Meddling {
  /** While nothing runs, after the kill of this cycle. */
  betweenRuns?(context: Context): void;
  /** How long bytes of the deleted are looked for, in place of some seconds. */
  readonly rebuildMs?: number;
  /** In place of a random moment: the program is killed once this has happened. */
  enough?(context: Context): boolean;
  /** Stands between clients and service, while there is load. */
  readonly between?: Context['around'];
}

export async function runCycles(
  options: { readonly seed: number; readonly cycles: number; readonly connections: number },
  say: (line: string) => void,
  meddling: Meddling = {},
) {
  const dataDir = newDataDir();
  const context = await contextIn(dataDir, options.seed, say);
  context.rebuildMs = meddling.rebuildMs ?? context.rebuildMs;
  const starts: Program[] = [];
  const killedAfter: number[] = [];
  let looked = 0;
  let program = await startProgram({ dataDir });
  try {
    for (context.cycle = 1; context.cycle <= options.cycles; context.cycle++) {
      const began = performance.now();
      const ms = KILL_FROM_MS + context.chance(KILL_TO_MS - KILL_FROM_MS + 1);
      await loadAndKill(context, program, options.connections, ms, meddling);
      killedAfter.push(ms);
      meddling.betweenRuns?.(context);
      program = await startProgram({ dataDir });
      starts.push(program);
      enter(context, program);
      const unanswered = context.total.unanswered;
      await compareRows(context);
      looked += await compareAnswers(context);
      if (program.isOver()) context.findings.add('ended', `while it was looked at: ${program.printed()}`);
      else if (context.total.unanswered > unanswered)
        context.findings.add('silence', 'not every question about the last cycle was answered');
      if (context.cycle % 10 === 0 || options.cycles <= 10) say(progress(context, performance.now() - began));
    }
    return { context, starts, killedAfter, looked };
  } finally {
    await program.end('SIGKILL');
  }
}

async function loadAndKill(
  context: Context,
  program: Program,
  connections: number,
  ms: number,
  meddling: Meddling,
): Promise<void> {
  let killed = false;
  enter(context, { base: program.base, isOver: () => killed || program.isOver() });
  if (meddling.between) context.around = meddling.between;
  const load = startLoad(context, connections);
  if (meddling.enough) while (!meddling.enough(context)) await delay(KILL_FROM_MS);
  else await delay(ms);
  if (program.isOver()) context.findings.add('ended', `by itself under load: ${program.printed()}`);
  killed = true;
  await program.end('SIGKILL');
  await load.stop();
  delete context.around;
}

function progress(context: Context, ms: number): string {
  const here = context.people.filter(({ standing }) => standing === 'here').length;
  const { acknowledged, unanswered } = context.total;
  const found = context.findings.all().length;
  return `cycle ${context.cycle}: ${(ms / 1_000).toFixed(1)} s, ${here} people, ${acknowledged} writes acknowledged, ${unanswered} unanswered, ${found} findings`;
}
