/** What may happen once, or so many times, tried at once on all nodes; and the same without locks, which must fail. */
import { join } from 'node:path';
import { planFile } from '../../support/client.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import type { Env } from '../../support/process.ts';
import { type Figure, figure, none, some } from '../../support/trial.ts';
import { openBurstSender, type Way } from '../races/burst.ts';
import { orphanRows } from '../races/database.ts';
import { sameFace } from '../races/enrolments.ts';
import type { Limit } from '../races/limits.ts';
import { LIMITS, TINY_PLAN } from '../races/limits.ts';
import { oneChange, oneDeletion } from '../races/once.ts';
import { createScores, type Score } from '../races/run.ts';
import type { Race, Setup } from '../races/setup.ts';
import { BUILT_IN, due, figureOf, OPEN, RACES } from '../races/trial.ts';
import { type Cluster, faultsOf, type Plan, startCluster } from './cluster.ts';

type Say = (line: string) => void;
type Sums = Record<'requests' | 'unanswered' | 'broken' | 'faults', number>;

const WAYS: readonly Way[] = ['locked', 'held', 'locked', 'plain'];
/** Replaces the locks of a node by none. */
export const WITHOUT_LOCKS: Env = {
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../../support/without-locks.ts')}`,
};
/** Those that only locks keep apart, whatever the rows and their keys say. */
const CONTROLS: readonly Race[] = [sameFace, oneChange, oneDeletion];

interface Options {
  readonly rounds: number;
  readonly parallel: number;
}

export async function playRaces(server: PostgresServer, options: Options, say: Say): Promise<Figure[]> {
  const scores = createScores(orphanRows);
  const sums = noSums();
  await onCluster(server, {}, options.parallel, sums, async setup => {
    for (let round = 0; round < options.rounds; round++)
      for (const [index, [race, every]] of RACES.entries())
        if (due(round, options.rounds, every, index))
          report(await scores.race(race, setup(round)), race, say);
  });
  return [...scores.all().map(figureOf), ...figuresOf('races', sums)];
}

/** Bursts of ten times as many requests as may pass. */
export async function playLimits(server: PostgresServer, options: Options, say: Say): Promise<Figure[]> {
  const scores = createScores(orphanRows);
  const sums = noSums();
  const builtIn = { ...BUILT_IN, PLANS_FILE: planFile(TINY_PLAN) };
  for (const wide of [false, true])
    await onCluster(
      server,
      { env: wide ? { ...builtIn, ...OPEN } : builtIn },
      options.parallel,
      sums,
      async setup => {
        for (let round = 0; round < options.rounds; round++)
          for (const [index, limit] of LIMITS.entries())
            if (Boolean(limit.wide) === wide && due(round, options.rounds, limit.every ?? 1, index))
              report(await scores.limit(limit, setup(round)), limit, say);
      },
    );
  return [...scores.all().map(figureOf), ...figuresOf('limits', sums)];
}

function figuresOf(what: string, { requests, unanswered, broken, faults }: Sums): Figure[] {
  return [
    some(`${what}: requests in the bursts`, requests),
    none(`${what}: requests without an answer`, unanswered),
    none(`${what}: answers 5xx`, broken),
    none(`${what}: faults in the logs of the nodes`, faults),
  ];
}

/** A control that loses nothing would say that the races prove nothing. */
export async function playControl(server: PostgresServer, options: Options): Promise<Figure[]> {
  return (await controlled(server, options, WITHOUT_LOCKS)).map(({ name, tried, held }) => {
    const broken = tried - held;
    return figure(`control without locks: ${name}`, 'some broken', `${broken} of ${tried}`, broken > 0);
  });
}

/** The races of the control, on nodes with these settings. */
export async function controlled(
  server: PostgresServer,
  { rounds, parallel }: Options,
  env: Env = {},
): Promise<readonly Score[]> {
  const scores = createScores(orphanRows);
  await onCluster(server, { env }, parallel, noSums(), async setup => {
    // All in the same way: with the database locked until every node has read what it decides by.
    for (let round = 0; round < rounds; round++)
      for (const race of CONTROLS) await scores.race(race, setup(4 * round));
  });
  return scores.all();
}

export async function onCluster(
  server: PostgresServer,
  plan: Plan,
  parallel: number,
  sums: Sums,
  body: (setup: (round: number) => Setup, cluster: Cluster) => Promise<void>,
): Promise<void> {
  const cluster = await startCluster(server, plan);
  const sender = openBurstSender(
    cluster.nodes.map(({ program }) => program.base),
    parallel,
    cluster.lock,
  );
  const setup = (round: number): Setup => ({
    run: cluster.run,
    mode: round % 2 ? 'test' : 'live',
    parallel,
    round,
    async send(burst) {
      const { replies } = await sender.send(burst, WAYS[round % WAYS.length] ?? 'locked');
      sums.requests += burst.length;
      sums.unanswered += replies.filter(({ status }) => status === 0).length;
      sums.broken += replies.filter(({ status }) => status >= 500).length;
      return replies;
    },
  });
  try {
    await body(setup, cluster);
    sums.faults += faultsOf(cluster).length;
  } finally {
    sender.close();
    await cluster.close();
  }
}

const QUICK =
  /one address in a minute|one user under|one email in one app|lockout|failed matches of one address/;
/** Some of each kind, for nodes whose clocks differ: on them requests from one address are limited as well. */
export const QUICK_LIMITS = LIMITS.filter(({ name }) => QUICK.test(name));

export const noSums = (): Sums => ({ requests: 0, unanswered: 0, broken: 0, faults: 0 });

function report(faults: readonly string[], { name }: Race | Limit, say: Say): void {
  for (const fault of faults) say(`FAULT ${name}: ${fault}`);
}
