/**
 * A node that is cut from the database, which either says nothing any more or refuses: it refuses too, and makes nothing
 * of what it remembers. Meanwhile the others work. Connected again, it goes on by itself and knows what they did.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Answer,
  browser,
  call,
  challenge,
  enrolled,
  faces,
  match,
  server,
  verify,
} from '../../support/client.ts';
import { type Detour, type Line, startDetour } from '../../support/detour.ts';
import { logout } from '../../support/me.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import { type Figure, figure, none, within } from '../../support/trial.ts';
import { healthOf } from '../crash/program.ts';
import { type Cluster, startCluster } from './cluster.ts';

const BACK_MS = 5_000;
/** Verifiers wait for a key set for five seconds at most. */
const PUBLISHED_MS = 3_000;
/** A statement is broken off after ten seconds, and a request may need a connection before. */
const REFUSED_MS = 16_000;

export async function playCut(postgres: PostgresServer): Promise<Figure[]> {
  const detour = await startDetour(postgres.port);
  const cluster = await startCluster(postgres, {
    each: (n, url) => (n === 0 ? { DATABASE_URL: detour.through(url) } : {}),
  });
  try {
    const figures: Figure[] = [];
    for (const line of ['silent', 'closed'] as const) figures.push(...(await oneCut(cluster, detour, line)));
    return figures;
  } finally {
    await cluster.close();
    detour.close();
  }
}

async function oneCut(cluster: Cluster, detour: Detour, line: Line): Promise<Figure[]> {
  const [{ run: cut }, { run: other }] = cluster.nodes;
  const app = await cluster.run.createApp();
  const [kept, gone, signedOut] = await Promise.all(
    [0, 1, 2].map(n => enrolled(other, app, { descriptors: [faces.genuine(n)] })),
  );
  const sign = (n: number) => ({ descriptors: [faces.genuine(n, 1)] });
  for (const n of [0, 1, 2])
    if ((await match(cut, app, sign(n))).status !== 200) throw new Error('not ready');
  const ids = await Promise.all([0, 1, 2].map(async () => (await challenge(cut, app)).challenge_id));
  const keys = (await call(cut, 'GET', '/.well-known/jwks.json')).text;

  detour.set(line);
  await logout(other, signedOut.token);
  await call(other, 'DELETE', `/v1/users/${gone.user.id}`, { headers: server(app) });
  const late = await enrolled(other, app, { descriptors: [faces.genuine(3)] });
  const began = performance.now();
  const asked: Promise<Answer>[] = [
    call(cut, 'POST', '/v1/challenges', { headers: browser(app) }),
    ...ids.map((id, n) => match(cut, app, { ...sign(n), challengeId: id })),
    verify(cut, app, kept.token),
    verify(cut, app, signedOut.token),
    call(cut, 'GET', '/v1/app', { headers: server(app) }),
    call(cut, 'GET', `/v1/users/${gone.user.id}`, { headers: server(app) }),
    call(cut, 'DELETE', `/v1/users/${kept.user.id}`, { headers: server(app) }),
  ];
  const published = await call(cut, 'GET', '/.well-known/jwks.json');
  const publishedMs = performance.now() - began;
  const answers = await Promise.all(asked);
  const refusedMs = performance.now() - began;
  const health = await healthOf(cut.base, 20_000);
  const isRefused = ({ status, json }: Answer) => status === 503 && json.error.code === 'service_unavailable';
  const odd = answers.filter(answer => !isRefused(answer)).map(({ status, text }) => `${status} ${text}`);
  if (health !== 503) odd.push(`/health ${health}`);

  detour.set('open');
  const opened = performance.now();
  while ((await healthOf(cut.base)) !== 200 && performance.now() - opened < 4 * BACK_MS) await delay(20);
  const backMs = performance.now() - opened;
  const known = [
    (await match(cut, app, sign(3))).json?.user?.id === late.user.id,
    (await match(cut, app, sign(0))).json?.user?.id === kept.user.id,
    (await match(cut, app, sign(1))).json?.error?.code === 'no_match',
    (await verify(cut, app, signedOut.token)).json?.reason === 'revoked',
    (await verify(cut, app, kept.token)).json?.valid === true,
  ];
  const what = line === 'silent' ? 'database silent' : 'database refuses';
  const isPublished = published.status === 200 && published.text === keys && publishedMs <= PUBLISHED_MS;
  const publishedIn = `${published.status} in ${publishedMs.toFixed(0)} ms`;
  return [
    none(`${what}: answers of a cut node other than 503, of ${answers.length + 1}`, odd),
    within(`${what}: all refused`, REFUSED_MS, refusedMs),
    figure(`${what}: its key set`, 'as before', publishedIn, isPublished),
    within(`${what}: connected again, it goes on`, BACK_MS, backMs),
    none(`${what}: what it does not know then of the others`, known.filter(isRight => !isRight).length),
  ];
}
