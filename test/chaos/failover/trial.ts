/**
 * Two nodes of the service on PostgreSQL under Patroni, as src/packaging/cluster has it, while the primary is killed,
 * its machine is gone, or another one takes over as planned. Then the same without waiting for a standby, where writes
 * have to be lost: a trial that loses none there would see none anywhere.
 */
import { TEST_MASTER_SECRET } from '../../support/ready-database.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { type Figure, figure, none, some, type Trial, told, within } from '../../support/trial.ts';
import { compareAnswers } from '../crash/compare-answers.ts';
import { compareRows } from '../crash/compare-rows.ts';
import { makeApp, type Program, startProgram } from '../crash/program.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { createLoad, type Load } from './load.ts';
import { type Around, type Fault, isPlanned, type Round, round } from './rounds.ts';
import { judged, sampled } from './soak.ts';
import { type Watch, watch } from './watch.ts';

const NODES = 2;
const FAULTS: readonly (readonly [Fault, option: string, what: string, mostMs: number])[] = [
  ['kill', 'cycles', 'kill -9 of the primary', 10_000],
  ['machine', 'machines', 'machine of the primary gone', 30_000],
  ['silence', 'silences', 'machine of the primary silent', 30_000],
  ['stop', 'stops', 'planned stop of the primary', 3_000],
  ['switchover', 'switchovers', 'planned switchover, in which Patroni sleeps for 2 s', 5_000],
];
const FOLLOW_MS = 5_000;

export const trial: Trial = {
  about: 'the primary of PostgreSQL is killed, gone, or replaced, below two nodes under load',
  options: {
    ...{ seed: 1, cycles: 4, machines: 1, silences: 1, stops: 2, switchovers: 1, controls: 1, clients: 12 },
    /** Minutes of load, with one kill in their middle. */
    soak: 0,
  },
  async run(options, say) {
    const { seed = 1, controls = 1, clients = 12, soak = 0 } = options;
    const cluster = await startCluster();
    const nodes: Program[] = [];
    try {
      say('three machines are up');
      const dirs = Array.from({ length: NODES }, () => tempFolder());
      const mail = tempFolder();
      const env = settings(cluster, mail);
      for (const dataDir of dirs) nodes.push(await startProgram({ dataDir, env }));
      const places = nodes.map(({ base }, n) => ({ base, dataDir: dirs[n] as string }));
      const app = await makeApp(mail, env);
      await cluster.write('CREATE TABLE trial (at BIGINT)');
      const load = createLoad(cluster, places, { app, mail, clients, seed }, say);
      const { context, acknowledged } = load;
      const seen = watch(
        nodes.map(({ base }) => base),
        () => cluster.write('INSERT INTO trial VALUES (0)'),
      );
      const rounds: Round[] = [];

      async function once(fault: Fault, alone: boolean, aroundMs?: Around): Promise<number> {
        context.cycle += 1;
        const done = await round(fault, alone, cluster, load, seen, aroundMs);
        const before = context.findings.count('lost');
        context.mayFail = false;
        await compareRows(context);
        await compareAnswers(context);
        const found = context.findings.count('lost') - before;
        say(`${summaryOf(done)}, ${acknowledged.length} acknowledged, ${found} found lost`);
        rounds.push(done);
        return found;
      }
      async function soakedFor(minutes: number): Promise<Figure[]> {
        const halfMs = minutes * 30_000;
        const kill = () => once('kill', false, { before: halfMs, after: halfMs });
        const samples = await sampled(nodes, load, say, kill);
        return judged(samples, minutes, load, rounds.at(-1)?.at ?? 0);
      }
      // In every other kill the standbys get nothing during the last moments.
      for (const [fault, option] of FAULTS)
        for (let n = 0; n < (options[option] ?? 0); n++) await once(fault, fault === 'kill' && n % 2 === 1);
      const soaked = soak > 0 ? await soakedFor(soak) : [];
      const figures = [...soaked, ...timesOf(rounds), ...truthOf(rounds, load)];
      if (controls > 0) {
        await cluster.makeAsynchronous();
        let found = 0;
        for (let n = 0; n < controls; n++) found += await once('kill', true);
        figures.push(some('control: acknowledged writes lost without waiting for a standby', found));
      }
      await seen.stop();
      return [...figures, ...nodesOf(nodes, seen, load)];
    } finally {
      for (const node of nodes) await node.end('SIGKILL');
      cluster.stop();
    }
  },
};

const settings = (cluster: Cluster, mail: string) => ({
  ...cluster.settings,
  MAIL_URL: `file:${mail}`,
  MASTER_SECRET: TEST_MASTER_SECRET.toString('base64url'),
  DEMO: 'off',
});

function timesOf(rounds: readonly Round[]): Figure[] {
  return FAULTS.flatMap(([fault, , what, mostMs]) => {
    const pauses = rounds.filter(one => one.fault === fault).map(({ pauseMs }) => pauseMs);
    if (pauses.length === 0) return [];
    const text = `${seconds(Math.min(...pauses))} to ${seconds(Math.max(...pauses))} in ${pauses.length}`;
    const held = Math.max(...pauses) <= mostMs;
    return [figure(`${what}: pause of writes`, `at most ${mostMs / 1_000} s`, text, held)];
  });
}

function truthOf(rounds: readonly Round[], load: Load): Figure[] {
  const followed = Math.max(...rounds.map(({ followedMs }) => followedMs));
  const hard = rounds.filter(({ fault }) => !isPlanned(fault));
  const down = hard.filter(one => one.down === NODES).length;
  const up = rounds.filter(one => one.up === NODES).length;
  return [
    some('writes acknowledged', load.acknowledged.length),
    ...load.context.findings.figures(),
    told('writes whose answer leaves open what happened', load.context.total.failed),
    within('nodes go on after a server accepts writes', FOLLOW_MS, followed),
    figure('/health is 503 in between, on both nodes', `${hard.length}`, down, down === hard.length),
    figure('/health is 200 afterwards, on both nodes', `${rounds.length}`, up, up === rounds.length),
  ];
}

function nodesOf(nodes: readonly Program[], seen: Watch, load: Load): Figure[] {
  const keys = seen.keys.flat();
  const bad = keys.filter(({ status }) => status !== 200).length;
  return [
    some('answers for the key set', keys.length),
    none('of them other than 200', bad),
    none('requests without an answer, with the control', load.context.findings.count('silence')),
    none(
      'questions for /health without an answer',
      seen.health.flat().filter(({ status }) => status === 0).length,
    ),
    none('nodes that ended', nodes.filter(node => node.isOver()).length),
  ];
}

const summaryOf = ({ fault, pauseMs, followedMs, down, up }: Round) =>
  `${fault}: pause ${seconds(pauseMs)}, nodes follow within ${seconds(followedMs)}, ${down} down, ${up} up`;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
