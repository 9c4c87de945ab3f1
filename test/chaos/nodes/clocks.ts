/** Clocks five seconds apart: limits, challenges, codes and tokens are right whichever nodes are asked, and it is said. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { challenge, enrolled, faces, match, verify } from '../../support/client.ts';
import { freshCode, verifyCode } from '../../support/codes.ts';
import { getMe } from '../../support/me.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import type { TestApp } from '../../support/service.ts';
import { type Figure, figure, none } from '../../support/trial.ts';
import { orphanRows } from '../races/database.ts';
import { address } from '../races/limits.ts';
import { createScores } from '../races/run.ts';
import { BUILT_IN, figureOf } from '../races/trial.ts';
import { type Cluster, type Node, portalOf } from './cluster.ts';
import { noSums, onCluster, QUICK_LIMITS } from './races.ts';

const SHIFTS = [0, 5_000, 2_500];
const PARALLEL = 100;
/** Nodes compare their clock with the database's every ten seconds. */
const NOTICED_MS = 15_000;

export async function playClocks(server: PostgresServer, say: (line: string) => void): Promise<Figure[]> {
  const scores = createScores(orphanRows);
  const sums = noSums();
  const each = (n: number) => ({
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'shifted-clock.ts')}`,
    CLOCK_SHIFT_MS: String(SHIFTS[n]),
  });
  const wrong: string[] = [];
  let pairs = 0;
  let reporting = 0;
  await onCluster(server, { env: BUILT_IN, each }, PARALLEL, sums, async (setup, cluster) => {
    for (const round of [0, 1])
      for (const limit of QUICK_LIMITS)
        for (const fault of await scores.limit(limit, setup(round))) say(`FAULT ${limit.name}: ${fault}`);
    const app = await cluster.run.createApp({ firstParty: true });
    for (const a of cluster.nodes)
      for (const b of cluster.nodes)
        if (a !== b) wrong.push(...(await onPair(app, a, b, pairs++)).map(what => `${what} (pair ${pairs})`));
    reporting = await reportingNodes(cluster);
  });
  return [
    ...scores
      .all()
      .map(figureOf)
      .map(({ what, ...rest }) => ({ what: `clocks 5 s apart: ${what}`, ...rest })),
    none(`clocks 5 s apart: challenges, codes and tokens from A, wrong on B, ${pairs} pairs`, wrong),
    figure('clocks 5 s apart: portals of the nodes that say so', '3', reporting, reporting === 3),
    none('clocks 5 s apart: answers 5xx', sums.broken),
  ];
}

/** @returns what was wrong */
async function onPair(app: TestApp, a: Node, b: Node, n: number): Promise<string[]> {
  const ip = address();
  const descriptors = [faces.genuine(n)];
  const given = (await challenge(a.run, app, 'live', ip)).challenge_id;
  const { user, token } = await enrolled(b.run, app, { descriptors, challengeId: given, ip });
  const right: Record<string, boolean> = {
    token: (await verify(a.run, app, token)).json?.valid === true,
    profile: (await getMe(a.run, token)).status === 200,
  };
  const again = (await challenge(b.run, app, 'live', ip)).challenge_id;
  const signedIn = await match(a.run, app, { descriptors, challengeId: again, ip });
  right.challenge = signedIn.json?.user?.id === user.id;
  const twice = await match(b.run, app, { descriptors, challengeId: again, ip });
  right['used challenge'] = twice.json?.error?.code === 'challenge_invalid';
  const code = await freshCode(a.run, app, user.email, { ip });
  const byCode = await verifyCode(b.run, app, user.email, code, { ip });
  right.code = byCode.json?.user?.id === user.id;
  right['token of a code'] = (await verify(a.run, app, byCode.json?.token)).json?.valid === true;
  // The first proof of the address ends the sessions from before.
  right['older token'] = (await verify(a.run, app, token)).json?.valid === false;
  return Object.entries(right).flatMap(([what, isRight]) => (isRight ? [] : [what]));
}

/** Nodes whose portal names the problem. */
async function reportingNodes({ nodes }: Cluster): Promise<number> {
  const says = async ({ program }: Node) =>
    (await (await fetch(`${portalOf(program)}/health`)).text()).includes('"clock"');
  for (const end = performance.now() + NOTICED_MS; ; await delay(500)) {
    const all = (await Promise.all(nodes.map(says))).filter(Boolean).length;
    if (all === nodes.length || performance.now() > end) return all;
  }
}
