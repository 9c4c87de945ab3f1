/** Load, kill -9 at a random moment, start, look: over and over on one folder. */
import { setTimeout as delay } from 'node:timers/promises';
import { newDataDir } from '../../support/process.ts';
import { makeApp } from './app.ts';
import { compareAnswers } from './compare-answers.ts';
import { compareRows } from './compare-rows.ts';
import { type Context, newContext } from './context.ts';
import { createFindings } from './findings.ts';
import { startLoad } from './load.ts';
import { createPostbox } from './postbox.ts';
import { mailFolder, type Program, startProgram } from './program.ts';

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
  through?(base: string): Promise<{ readonly base: string; close(): void }>;
}

export interface Outcome {
  readonly context: Context;
  /** Of every start but the first. */
  readonly starts: readonly Pick<Program, 'healthyAfterMs' | 'waitedMs'>[];
  readonly killedAfter: readonly number[];
  readonly looked: number;
}

export async function runCycles(
  options: { readonly seed: number; readonly cycles: number; readonly connections: number },
  say: (line: string) => void,
  meddling: Meddling = {},
): Promise<Outcome> {
  const dataDir = newDataDir();
  const app = await makeApp(dataDir);
  const given = {
    app,
    dataDir,
    findings: createFindings(say),
    postbox: createPostbox(mailFolder(dataDir)),
  };
  const context = newContext(given, options.seed);
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

function enter(context: Context, program: Program): void {
  context.base = program.base;
  context.isOver = program.isOver;
}

async function loadAndKill(
  context: Context,
  program: Program,
  connections: number,
  ms: number,
  meddling: Meddling,
): Promise<void> {
  const between = await meddling.through?.(program.base);
  let killed = false;
  context.base = between?.base ?? program.base;
  context.isOver = () => killed || program.isOver();
  const load = startLoad(context, connections);
  if (meddling.enough) while (!meddling.enough(context)) await delay(KILL_FROM_MS);
  else await delay(ms);
  if (program.isOver()) context.findings.add('ended', `by itself under load: ${program.printed()}`);
  killed = true;
  await program.end('SIGKILL');
  between?.close();
  await load.stop();
}

function progress(context: Context, ms: number): string {
  const here = context.people.filter(({ standing }) => standing === 'here').length;
  const { acknowledged, unanswered } = context.total;
  const found = context.findings.all().length;
  return `cycle ${context.cycle}: ${(ms / 1_000).toFixed(1)} s, ${here} people, ${acknowledged} writes acknowledged, ${unanswered} unanswered, ${found} findings`;
}
