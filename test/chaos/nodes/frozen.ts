/** A node that stops in the middle of a write (SIGSTOP): the rows that it locked are free again within two seconds. */
import { setTimeout as delay } from 'node:timers/promises';
import { challenges, enroll, enrolled, faces } from '../../support/client.ts';
import { startDetour } from '../../support/detour.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import type { TestApp } from '../../support/service.ts';
import { type Figure, none, within } from '../../support/trial.ts';
import { type Cluster, type Node, startCluster } from './cluster.ts';

const ROUNDS = 5;
const ENROLMENTS = 8;
/** So that most of the time of a write passes between two of its statements. */
const LATE_MS = 30;
const SETTLED_MS = 100;
const WANTED_MS = 2_500;

const HOLDERS = `SELECT COUNT(*) AS n FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid
  WHERE a.state = 'idle in transaction' AND l.granted AND l.relation = 'galleries'::regclass`;

export async function playFrozen(server: PostgresServer): Promise<Figure[]> {
  const detour = await startDetour(server.port, LATE_MS);
  const cluster = await startCluster(server, {
    each: (n, url) => (n === 0 ? { DATABASE_URL: detour.through(url) } : {}),
  });
  try {
    const times: number[] = [];
    const odd: string[] = [];
    let person = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const app = await cluster.run.createApp();
      await enrolled(cluster.run, app, { descriptors: [faces.genuine(person++)] });
      const { answers } = await frozenInWrite(server, cluster, app, () => person++);
      const began = performance.now();
      const [, ...others] = cluster.nodes;
      await Promise.all(
        others.map(({ run }) => enrolled(run, app, { descriptors: [faces.genuine(person++)] })),
      );
      times.push(performance.now() - began + SETTLED_MS);
      process.kill(cluster.nodes[0].program.pid, 'SIGCONT');
      for (const status of await answers) if (status !== 201 && status !== 503) odd.push(String(status));
      const made = cluster.run.rows('SELECT id FROM users WHERE app_id = ?', app.id).length;
      const enrols = cluster.run.rows('SELECT enrolls FROM usage WHERE app_id = ?', app.id);
      if (enrols[0].enrolls !== made) odd.push(`${made} users, ${enrols[0].enrolls} counted`);
    }
    const quickest = `, quickest ${Math.min(...times).toFixed(0)} ms`;
    const what = `others write to the gallery that a frozen node had locked, slowest of ${ROUNDS}`;
    return [
      within(what, WANTED_MS, Math.max(...times), quickest),
      none('what it did then: other than 201 or 503, or half of it', odd),
    ];
  } finally {
    await cluster.close();
    detour.close();
  }
}

/** @returns the answers to what was under way */
async function frozenInWrite(
  server: PostgresServer,
  cluster: Cluster,
  app: TestApp,
  person: () => number,
): Promise<{ answers: Promise<number[]> }> {
  const node = cluster.nodes[0] as Node;
  const database = new URL(cluster.url).pathname.slice(1);
  const ids = await challenges(node.run, app, ENROLMENTS);
  const answers = ids.map(
    async challengeId =>
      (await enroll(node.run, app, { challengeId, descriptors: [faces.genuine(person())] })).status,
  );
  for (let tries = 0; tries < 50; tries++) {
    await delay(LATE_MS);
    process.kill(node.program.pid, 'SIGSTOP');
    // What it had sent arrives.
    await delay(SETTLED_MS);
    const [holders] = await server.query<{ n: string }>(HOLDERS, database);
    if (Number(holders?.n) > 0) return { answers: Promise.all(answers) };
    process.kill(node.program.pid, 'SIGCONT');
  }
  throw new Error('the node was never stopped while it held the row of a gallery');
}
