/** The container image, built from the Dockerfile without a registry and run as the Dockerfile says. */
import * as assert from 'uvu/assert';
import { consent, faces, type Json } from '../support/client.ts';
import { suite } from '../support/suite.ts';
import { buildImage, type Podman } from './podman.ts';

const test = suite('bare: image');
const ORIGIN = 'https://shop.example';
const [PORT, PORTAL_PORT] = [18_480, 18_481];
const BASE = `http://127.0.0.1:${PORT}`;
const NAME = 'face-sign-in-image-test';
let podman: Podman;

test.before(() => {
  podman = buildImage();
});
test.after(() => podman?.remove());

function create(): void {
  const settings = { PORT, PORTAL_PORT, BASE_URL: 'https://face.example', TRUST_PROXY: 1 };
  podman.run([
    ...['create', '--name', NAME, '--network=host', '-v', 'face-sign-in-data:/data'],
    // What nested engines may not raise.
    ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'],
    ...podman.safety,
    ...Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    podman.image,
  ]);
}

/** Milliseconds until it is healthy. */
async function start(): Promise<number> {
  const began = performance.now();
  podman.run(['start', NAME]);
  for (;;) {
    const answer = await fetch(`${BASE}/health`).catch(() => null);
    if (answer?.ok) return performance.now() - began;
    assert.ok(performance.now() - began < 60_000, podman.run(['logs', NAME]));
    await new Promise(done => setTimeout(done, 20));
  }
}

const inside = (...args: string[]): Json =>
  JSON.parse(podman.run(['exec', NAME, 'face-sign-in', ...args, '--json']));

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

  create();
  const ready = await start();
  const { app } = inside('app', 'create', '--name', 'Shop', '--origin', ORIGIN);
  const { key } = inside('key', 'create', '--app', app.id, '--type', 'publishable', '--mode', 'live');
  const person = { descriptors: [faces.genuine(0)], email: 'ada@example.com', consent };
  const enrolled = await face('/v1/enroll', key, person);
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

test.run();
