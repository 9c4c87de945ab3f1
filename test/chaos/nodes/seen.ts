/** What one node has acknowledged, another knows with the next request; and what was erased leaves the memory of all. */
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../../../bench/measure.ts';
import { createKey, revokeKey } from '../../../src/domain/operating/keys.ts';
import { rotate } from '../../../src/domain/operating/signing-keys.ts';
import {
  type Answer,
  call,
  challenge,
  decoded,
  enrolled,
  faces,
  match,
  server,
  verify,
} from '../../support/client.ts';
import { logout } from '../../support/me.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import type { TestApp } from '../../support/service.ts';
import { type Figure, figure, none, within } from '../../support/trial.ts';
import { type Cluster, faultsOf, type Node, startCluster, templatesHeld } from './cluster.ts';

type Say = (line: string) => void;

/** Pairs of nodes that work at once: each has its own people. */
const AT_ONCE = 4;
const FORGET_MS = 1_000;
/** The first of each is a request that no other node has answered since the change. */
const SEEN = [
  'enrolled on A, recognised by B',
  'signed out on A, revoked on B',
  'key revoked by a command, refused by B',
  'deleted on A, not recognised by B, while it is asked again and again',
  'signing key made by a command, published by B, tokens of both good',
  'older keys revoked by a command, their tokens bad on B, new ones good',
] as const;
type Seen = (typeof SEEN)[number];

export async function playSeen(server: PostgresServer, times: number, say: Say): Promise<Figure[]> {
  const cluster = await startCluster(server);
  const tried = Object.fromEntries(SEEN.map(what => [what, 0])) as Record<Seen, number>;
  const missed: Record<Seen, number> = { ...tried };
  const note: Note = (what, isSeen, answer) => {
    tried[what] += 1;
    if (isSeen) return;
    missed[what] += 1;
    say(`MISSED ${what}: ${answer?.status} ${answer?.text}`);
  };
  try {
    const app = await cluster.run.createApp();
    let turn = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (turn < times) await onePerson(cluster, app, turn++, note);
      }),
    );
    for (let n = 0; n < times; n++) await oneRotation(cluster, app, n, note);
    const forgotten = await timesToForget(cluster, Math.ceil(times / 10));
    const faults = faultsOf(cluster);
    for (const line of faults.slice(0, 5)) say(line);
    return [
      ...SEEN.map(what => {
        const measured = `${missed[what]} of ${tried[what]} missed`;
        return figure(what, '0 missed', measured, missed[what] === 0 && tried[what] >= times);
      }),
      within(
        `erased on A, gone from the memory of the others, slowest of ${forgotten.length}`,
        FORGET_MS,
        Math.max(...forgotten),
        `, median ${quantile(forgotten, 0.5).toFixed(0)} ms`,
      ),
      none('faults in the logs of the nodes', faults),
    ];
  } finally {
    await cluster.close();
  }
}

type Note = (what: Seen, isSeen: boolean, answer?: Answer) => void;

/** Nodes in turn, so that each is A and B as often. */
function pairOf({ nodes }: Cluster, n: number): [Node, Node, Node] {
  return [0, 1, 2].map(place => nodes[(n + place) % 3]) as [Node, Node, Node];
}

async function onePerson(cluster: Cluster, app: TestApp, n: number, note: Note): Promise<void> {
  const [a, b, c] = pairOf(cluster, n);
  const descriptors = [faces.genuine(n)];
  const { user, token } = await enrolled(a.run, app, { descriptors });
  // The challenge was asked for before, so that nothing comes between.
  const recognised = await match(b.run, app, { descriptors: [faces.genuine(n, 1)] });
  note(SEEN[0], recognised.json?.user?.id === user.id, recognised);

  await logout(a.run, token);
  const online = await verify(b.run, app, token);
  note(SEEN[1], online.json?.reason === 'revoked', online);

  const { deps } = cluster.admin;
  const made = await createKey(deps, app.id, 'secret', 'live');
  const ask = (node: Node) =>
    call(node.run, 'GET', '/v1/app', { headers: { authorization: `Bearer ${made.key}` } });
  const before = await ask(b);
  await revokeKey(deps, made.record.id);
  const after = await ask(b);
  note(SEEN[2], before.status === 200 && after.status === 401, after);

  // Questions are under way at both others all the time.
  const ids = await Promise.all([b, c, b, c].map(node => challenge(node.run, app)));
  const asked = (node: Node, place: number) =>
    match(node.run, app, { challengeId: ids[place]?.challenge_id ?? '', descriptors });
  const during = [asked(b, 0), asked(c, 1)];
  const gone = await call(a.run, 'DELETE', `/v1/users/${user.id}`, { headers: server(app) });
  const answers = await Promise.all([asked(b, 2), asked(c, 3)]);
  const isGone = answers.every(({ json }) => json?.error?.code === 'no_match');
  note(SEEN[3], gone.status === 204 && isGone, answers.find(({ status }) => status !== 401) ?? gone);
  await Promise.all(during);
}

async function oneRotation(cluster: Cluster, app: TestApp, n: number, note: Note): Promise<void> {
  const [a, b, c] = pairOf(cluster, n);
  const { deps } = cluster.admin;
  const descriptors = [faces.genuine(1_000_000 + n)];
  const { token: old } = await enrolled(a.run, app, { descriptors });
  const kidsOf = async (node: Node): Promise<string[]> =>
    (await call(node.run, 'GET', '/.well-known/jwks.json')).json.keys.map(({ kid }: { kid: string }) => kid);
  const valid = async (node: Node, token: string) =>
    (await verify(node.run, app, token)).json?.valid === true;
  const signIn = async (node: Node): Promise<string> =>
    (await match(node.run, app, { descriptors })).json.token;

  const first = await rotate(deps, { now: true, revokeOld: false });
  const published = (await kidsOf(b)).includes(first.kid);
  const fresh = await signIn(c);
  const isFresh = decoded(fresh).header.kid === first.kid;
  note(SEEN[4], published && isFresh && (await valid(b, old)) && (await valid(b, fresh)));

  const second = await rotate(deps, { now: false, revokeOld: true });
  const isOldBad = !(await valid(b, old)) && !(await valid(c, fresh));
  const isAlone = (await kidsOf(b)).join() === second.kid;
  note(SEEN[5], isOldBad && isAlone && (await valid(a, await signIn(b))));
}

/** From the answer to A's client until the metrics of both others count a template less, without any search. */
async function timesToForget(cluster: Cluster, count: number): Promise<number[]> {
  const app = await cluster.run.createApp();
  const ids: string[] = [];
  for (let n = 0; n < count; n++)
    ids.push((await enrolled(cluster.run, app, { descriptors: [faces.genuine(n)] })).user.id);
  for (const node of cluster.nodes) {
    await match(node.run, app);
    if ((await templatesHeld(node, app)) !== count) throw new Error('a node has not read the gallery');
  }
  const times: number[] = [];
  for (const [n, id] of ids.entries()) {
    const [a, ...others] = pairOf(cluster, n);
    await delay(37 * (n % 27));
    await call(a.run, 'DELETE', `/v1/users/${id}`, { headers: server(app) });
    const began = performance.now();
    for (const node of others)
      while ((await templatesHeld(node, app)) !== count - n - 1) {
        if (performance.now() - began > 10 * FORGET_MS) break;
        await delay(5);
      }
    times.push(performance.now() - began);
  }
  return times;
}
