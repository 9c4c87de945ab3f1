/** Load, kill -9 at a random moment, start, look: over and over on one folder. */
import { setTimeout as delay } from 'node:timers/promises';
import { newDataDir } from '../../support/process.ts';
import { compareAnswers } from './compare-answers.ts';
import { compareRows } from './compare-rows.ts';
import { createFindings } from './findings.ts';
import { makeApp } from './ground.ts';
import { startLoad } from './load.ts';
import { createPostbox } from './postbox.ts';
import { mailFolder, type Program, startProgram } from './program.ts';
import { newWorld, type World } from './world.ts';

/** When after the beginning of the load the program is killed. */
const KILL_FROM_MS = 50;
const KILL_TO_MS = 800;

/** What a test does to be found out. */
export interface Meddling {
  /** While nothing runs, after the kill of this cycle. */
  betweenRuns?(world: World): void;
  /** How long bytes of the deleted are looked for, in place of some seconds. */
  readonly rebuildMs?: number;
  /** In place of a random moment: the program is killed once this has happened. */
  enough?(world: World): boolean;
  /** Stands between clients and service, while there is load. */
  through?(base: string): Promise<{ readonly base: string; close(): void }>;
}

export interface Outcome {
  readonly world: World;
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
  const world = newWorld(given, options.seed);
  world.rebuildMs = meddling.rebuildMs ?? world.rebuildMs;
  const starts: Program[] = [];
  const killedAfter: number[] = [];
  let looked = 0;
  let program = await startProgram({ dataDir });
  try {
    for (world.cycle = 1; world.cycle <= options.cycles; world.cycle++) {
      const began = performance.now();
      const ms = KILL_FROM_MS + world.chance(KILL_TO_MS - KILL_FROM_MS + 1);
      await loadAndKill(world, program, options.connections, ms, meddling);
      killedAfter.push(ms);
      meddling.betweenRuns?.(world);
      program = await startProgram({ dataDir });
      starts.push(program);
      enter(world, program);
      const unanswered = world.total.unanswered;
      await compareRows(world);
      looked += await compareAnswers(world);
      if (program.isOver()) world.findings.add('ended', `while it was looked at: ${program.printed()}`);
      else if (world.total.unanswered > unanswered)
        world.findings.add('silence', 'not every question about the last cycle was answered');
      if (world.cycle % 10 === 0 || options.cycles <= 10) say(progress(world, performance.now() - began));
    }
    return { world, starts, killedAfter, looked };
  } finally {
    await program.end('SIGKILL');
  }
}

function enter(world: World, program: Program): void {
  world.base = program.base;
  world.isOver = program.isOver;
}

async function loadAndKill(
  world: World,
  program: Program,
  connections: number,
  ms: number,
  meddling: Meddling,
): Promise<void> {
  const between = await meddling.through?.(program.base);
  let killed = false;
  world.base = between?.base ?? program.base;
  world.isOver = () => killed || program.isOver();
  const load = startLoad(world, connections);
  if (meddling.enough) while (!meddling.enough(world)) await delay(KILL_FROM_MS);
  else await delay(ms);
  if (program.isOver()) world.findings.add('ended', `by itself under load: ${program.printed()}`);
  killed = true;
  await program.end('SIGKILL');
  between?.close();
  await load.stop();
}

function progress(world: World, ms: number): string {
  const here = world.people.filter(({ standing }) => standing === 'here').length;
  const { acknowledged, unanswered } = world.total;
  const found = world.findings.all().length;
  return `cycle ${world.cycle}: ${(ms / 1_000).toFixed(1)} s, ${here} people, ${acknowledged} writes acknowledged, ${unanswered} unanswered, ${found} findings`;
}
