/**
 * The container image, built from the Dockerfile without a registry and run as the Dockerfile says: alone, and as the two
 * nodes of src/packaging/cluster/compose.yml behind HAProxy.
 */
import * as assert from 'uvu/assert';
import { callerOf } from '../packaging/caller.ts';
import { composed, settingsOf } from '../packaging/composed.ts';
import { startHaproxy } from '../packaging/haproxy.ts';
import { consent, faces, type Json } from '../support/client.ts';
import { startPostgres } from '../support/postgres.ts';
import type { Env } from '../support/process.ts';
import { suite } from '../support/suite.ts';
import { buildImage, type Podman } from './podman.ts';

const test = suite('bare: image');
const ORIGIN = 'https://shop.example';
const [PORT, PORTAL_PORT] = [18_480, 18_481];
const baseOf = (port: number) => `http://127.0.0.1:${port}`;
const BASE = baseOf(PORT);
const NAME = 'face-sign-in-image-test';
let podman: Podman;

test.before(() => {
  podman = buildImage();
});
test.after(() => podman?.remove());

/** @param name of the container and its volume */
function create(name: string, settings: Env): void {
  podman.run([
    ...['create', '--name', name, '--network=host', '-v', `${name}:/data`],
    // What nested engines may not raise.
    ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'],
    ...podman.safety,
    ...Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    podman.image,
  ]);
}

/** Milliseconds until it is healthy. */
async function start(name = NAME, port = PORT): Promise<number> {
  const began = performance.now();
  podman.run(['start', name]);
  for (;;) {
    const answer = await fetch(`${baseOf(port)}/health`).catch(() => null);
    if (answer?.ok) return performance.now() - began;
    assert.ok(performance.now() - began < 60_000, podman.run(['logs', name]));
    await new Promise(done => setTimeout(done, 20));
  }
}

const inside = (name: string, ...args: string[]): Json =>
  JSON.parse(podman.run(['exec', name, 'face-sign-in', ...args, '--json']));

/** A live publishable key of a new app. */
function newKey(name: string): string {
  const { app } = inside(name, 'app', 'create', '--name', 'Shop', '--origin', ORIGIN);
  return inside(name, 'key', 'create', '--app', app.id, '--type', 'publishable', '--mode', 'live').key;
}

const PERSON = { descriptors: [faces.genuine(0)], email: 'ada@example.com', consent };

async function post(path: string, key: string, body: object): Promise<Json> {
  const headers = { 'x-svc-key': key, origin: ORIGIN, 'content-type': 'application/json' };
  const answer = await fetch(BASE + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const json = (await answer.json()) as Json;
  assert.ok(answer.ok, JSON.stringify(json));
  return json;
}

async function face(path: string, key: string, fields: object): Promise<Json> {
  const { challenge_id } = await post('/v1/challenges', key, {});
  return post(path, key, { challenge_id, ...fields });
}

test('it runs without rights on a read-only root, signs people in, stops at once and keeps its data', async () => {
  const [{ Config, Healthcheck, Size, Labels }] = JSON.parse(podman.run(['inspect', podman.image]));
  assert.is(Config.User, '10001:10001');
  assert.equal(Object.keys(Config.Volumes), ['/data']);
  assert.equal(Healthcheck.Test, ['CMD', 'face-sign-in', 'health']);
  assert.is(Labels['org.opencontainers.image.licenses'], 'MIT');

  const own = { PORT: String(PORT), PORTAL_PORT: String(PORTAL_PORT) };
  create(NAME, { ...own, BASE_URL: 'https://face.example', TRUST_PROXY: '1' });
  const ready = await start();
  const key = newKey(NAME);
  const enrolled = await face('/v1/enroll', key, PERSON);
  const began = performance.now();
  const signedIn = await face('/v1/match', key, { descriptors: [faces.genuine(0, 1)] });
  const took = performance.now() - began;
  assert.is(signedIn.user.id, enrolled.user.id);
  assert.match(signedIn.token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.is(podman.run(['exec', NAME, 'face-sign-in', 'health']).includes('ok'), true);
  assert.throws(() => podman.run(['exec', NAME, 'sh', '-c', 'echo > /usr/local/bin/x']), /Read-only/);

  const stopping = performance.now();
  podman.run(['stop', '-t', '30', NAME]);
  assert.ok(performance.now() - stopping < 10_000, 'it ends by SIGTERM, not by the time limit');
  await start();
  assert.is((await face('/v1/match', key, { descriptors: [faces.genuine(0, 1)] })).user.id, enrolled.user.id);
  podman.run(['stop', '-t', '30', NAME]);
  console.log(
    `image ${(Size / 1e6).toFixed(0)} MB, healthy after ${(ready / 1000).toFixed(1)} s, a sign-in ${took.toFixed(0)} ms`,
  );
});

test('two of them on one PostgreSQL behind HAProxy: one is killed, and people sign in at the other', async () => {
  const database = await startPostgres();
  const [one, other] = [
    { name: `${NAME}-node1`, port: PORT + 2 },
    { name: `${NAME}-node2`, port: PORT + 4 },
  ];
  const nodes = [one, other];
  let haproxy: Awaited<ReturnType<typeof startHaproxy>> | undefined;
  try {
    await database.query('CREATE DATABASE face');
    const { services } = composed('cluster');
    const secrets = { MASTER_SECRET: Buffer.alloc(32, 5).toString('base64url'), POSTGRES_PASSWORD: 'p' };
    for (const { name, port } of nodes) {
      create(name, {
        ...settingsOf(services.node1, { DOMAIN: 'face.example', ...secrets }),
        // They share the network of this machine.
        ...{ DATABASE_URL: database.urlOf('face'), HOST: '127.0.0.1', NODE_NAME: name },
        ...{ PORT: String(port), PORTAL_PORT: String(port + 1) },
      });
      await start(name, port);
    }
    const pk = newKey(one.name);
    const app = { id: '', name: '', origin: ORIGIN, live: { pk, sk: '' }, test: { pk: '', sk: '' } };
    haproxy = await startHaproxy(nodes.map(({ port }) => new URL(baseOf(port)).host));
    const ask = callerOf(haproxy.secure, app, '127.0.8.1', false);
    const withChallenge = async (path: string, fields: object) => {
      const { challenge_id } = (await ask('POST', '/v1/challenges')).json;
      const { status, json, headers } = await ask('POST', path, { challenge_id, ...fields });
      // Each node begins the ids of its requests in its own way.
      return { status, user: json.user?.id, node: String(headers['x-request-id']).slice(0, 14) };
    };
    const signIn = () => withChallenge('/v1/match', { descriptors: [faces.genuine(0, 1)] });
    const enrolled = await withChallenge('/v1/enroll', PERSON);
    const before = await signIn();
    assert.equal([enrolled.status, before], [201, { ...enrolled, status: 200 }]);
    const idOfOne = (await fetch(`${baseOf(one.port)}/health`)).headers.get('x-request-id') ?? '';
    podman.run(['kill', '-s', 'KILL', idOfOne.startsWith(before.node) ? one.name : other.name]);
    const after = await signIn();
    assert.equal([after.status, after.user], [200, enrolled.user]);
    assert.is.not(after.node, before.node);
  } finally {
    await haproxy?.stop();
    for (const { name } of nodes) podman.run(['rm', '-f', '--ignore', name]);
    database.stop();
  }
});

test.run();
