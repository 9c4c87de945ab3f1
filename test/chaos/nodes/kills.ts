/**
 * Nodes killed with kill -9 at random moments of a mixed load, one after the other. Clients go to the others as soon as
 * a connection ends. What was acknowledged has to be there, and what was not whole or not at all; the others hardly
 * notice.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../../../bench/measure.ts';
import { call } from '../../support/client.ts';
import { rowsAt } from '../../support/on-postgres.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import { TEST_MASTER_SECRET } from '../../support/ready-database.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { type Figure, figure, none, some, within } from '../../support/trial.ts';
import { compareAnswers } from '../crash/compare-answers.ts';
import { compareRows } from '../crash/compare-rows.ts';
import { type Context, newContext } from '../crash/context.ts';
import { startLoad } from '../crash/load.ts';
import { journalIn, rowsIn } from '../crash/rows.ts';
import { type Cluster, faultsOf, type Node, startCluster } from './cluster.ts';

const CONNECTIONS = 16;
const KILL_FROM_MS = 300;
const KILL_TO_MS = 1_000;
/** Of load on the others after a kill. */
const AFTER_MS = 1_500;
const FAILURES_MS = 1_000;
const GAP_MS = 200;

interface Seen {
  readonly at: number;
  readonly isGood: boolean;
}

export async function playKills(
  server: PostgresServer,
  { seed, kills }: { readonly seed: number; readonly kills: number },
  say: (line: string) => void,
): Promise<Figure[]> {
  const mail = tempFolder();
  const cluster = await startCluster(server, { env: { MAIL_URL: `file:${mail}` } });
  const out = new Set<Node>();
  const seen: Seen[] = [];
  const app = await cluster.run.createApp();
  const journals = () =>
    cluster.nodes.filter(node => !out.has(node)).map(({ dataDir }) => journalIn(dataDir));
  const context = newContext(
    {
      app,
      dataDir: mail,
      mail,
      // Every node that runs has a whole copy of the journal.
      rows: () => {
        const [first = new Set<string>(), ...others] = journals();
        const inAll = new Set([...first].filter(hash => others.every(other => other.has(hash))));
        return rowsIn(sql => rowsAt(cluster.url, sql, []) as never[], TEST_MASTER_SECRET, inAll);
      },
    },
    seed,
    say,
  );
  let turn = 0;
  let killed: Node | null = null;
  context.around = async (method, path, sent) => {
    const inUse = cluster.nodes.filter(node => !out.has(node));
    const node = inUse[turn++ % inUse.length] as Node;
    try {
      const answer = await call(node.run, method, path, sent);
      seen.push({ at: performance.now(), isGood: answer.status < 500 });
      return answer;
    } catch (error) {
      if (node === killed) out.add(node);
      else context.findings.add('silence', `${method} ${path}: ${(error as Error).message}`);
      seen.push({ at: performance.now(), isGood: false });
      throw error;
    }
  };
  const lastFailures: number[] = [];
  const gaps: number[] = [];
  let underWay = 0;
  try {
    for (context.cycle = 1; context.cycle <= kills; context.cycle++) {
      const node = cluster.nodes[context.chance(3)] as Node;
      killed = node;
      const killedAt = await loadAndKill(context, node);
      out.add(node);
      const after = seen.splice(0).filter(({ at }) => at >= killedAt - GAP_MS);
      const failures = after.filter(({ isGood }) => !isGood);
      underWay += failures.length;
      lastFailures.push(Math.max(0, ...failures.map(({ at }) => at - killedAt)));
      gaps.push(longestGap(after.filter(({ isGood }) => isGood).map(({ at }) => at)));
      await compareRows(context);
      await node.start();
      out.delete(node);
      killed = null;
      await compareAnswers(context);
      seen.length = 0;
      if (context.cycle % 10 === 0 || kills <= 10)
        say(
          `kill ${context.cycle}: failures ${lastFailures.at(-1)?.toFixed(0)} ms, gap ${gaps.at(-1)?.toFixed(0)} ms`,
        );
    }
    return figuresOf(context, cluster, { kills, underWay, lastFailures, gaps });
  } finally {
    await cluster.close();
  }
}

/** @returns when it was killed */
async function loadAndKill(context: Context, node: Node): Promise<number> {
  context.mayBeCut = true;
  context.mayFail = true;
  const load = startLoad(context, CONNECTIONS);
  await delay(KILL_FROM_MS + context.chance(KILL_TO_MS - KILL_FROM_MS + 1));
  const killedAt = performance.now();
  await node.program.end('SIGKILL');
  await delay(AFTER_MS);
  await load.stop();
  context.mayBeCut = false;
  context.mayFail = false;
  return killedAt;
}

const longestGap = (times: readonly number[]) =>
  Math.max(0, ...times.map((at, n) => at - (times[n - 1] ?? at)));

function figuresOf(
  context: Context,
  cluster: Cluster,
  seen: { kills: number; underWay: number; lastFailures: readonly number[]; gaps: readonly number[] },
): Figure[] {
  const { acknowledged } = context.total;
  const [last, gap] = [Math.max(...seen.lastFailures), Math.max(...seen.gaps)];
  const p95 = (values: readonly number[]) => `, p95 ${quantile(values, 0.95).toFixed(0)} ms`;
  return [
    figure('nodes killed under load', `${seen.kills}`, seen.gaps.length, seen.gaps.length === seen.kills),
    some('writes acknowledged meanwhile', acknowledged),
    some('requests that failed at the kills', seen.underWay),
    ...context.findings.figures(),
    within('last failed request after a kill', FAILURES_MS, last, p95(seen.lastFailures)),
    within('longest time without a success on all others', GAP_MS, gap, p95(seen.gaps)),
    none('faults in the logs of the nodes', faultsOf(cluster)),
  ];
}
