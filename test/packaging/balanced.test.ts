/** Two nodes on one PostgreSQL behind HAProxy: who gets what, a node that dies, a database that is gone. */
import * as assert from 'uvu/assert';
import { assertEnvelope, consent, faces, someEmail, soon } from '../support/client.ts';
import { NO_LIMITS } from '../support/no-limits.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { type Env, json, newDataDir, type Server, serve, within } from '../support/process.ts';
import type { TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { callerOf } from './caller.ts';
import { type Balancer, startHaproxy } from './haproxy.ts';

const test = suite('packaging: balanced');
const ORIGIN = 'https://app.example';
const APPS = 8;
let database: PostgresServer;
const nodes: Server[] = [];
const apps: TestApp[] = [];
let haproxy: Balancer;

test.before(async () => {
  database = await startPostgres(['fsync=off']);
  await database.query('CREATE DATABASE face');
  const settings = (): Env => ({
    ...NO_LIMITS,
    DATA_DIR: newDataDir(),
    DATABASE_URL: database.urlOf('face').replace('127.0.0.1', '127.0.0.9,127.0.0.1'),
    DATABASE_POOL: '4',
    MASTER_SECRET: Buffer.alloc(32, 5).toString('base64url'),
    BASE_URL: 'https://face.example',
    TRUST_PROXY: '1',
    DEMO: 'off',
  });
  for (let n = 0; n < 2; n++) nodes.push(await serve(settings()));
  const env = settings();
  for (let n = 0; n < APPS; n++) apps.push(await makeApp(env));
  haproxy = await startHaproxy(nodes.map(({ base }) => new URL(base).host));
  await soon(async () => (await from(apps[0] as TestApp)('GET', '/health')).status === 200, 'a node', 10_000);
});
test.after(async () => {
  await haproxy?.stop();
  for (const node of nodes) node.kill('SIGKILL');
  database?.stop();
});

async function makeApp(env: Env): Promise<TestApp> {
  const { app } = await json(['app', 'create', '--name', 'Shop', '--origin', ORIGIN], env, within);
  const key = ['key', 'create', '--app', app.id, '--type', 'publishable', '--mode', 'live'];
  const pk: string = (await json(key, env, within)).key;
  return { id: app.id, name: 'Shop', origin: ORIGIN, live: { pk, sk: '' }, test: { pk: '', sk: '' } };
}

const from = (app: TestApp) => callerOf(haproxy.secure, app, '127.0.7.1', false);

/** Each node begins the ids of its requests in its own way. */
const nodeOf = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers['x-request-id']).slice(0, 14);

async function withChallenge(app: TestApp, path: string, more: object) {
  const { json, status } = await from(app)('POST', '/v1/challenges');
  assert.is(status, 200, JSON.stringify(json));
  return from(app)('POST', path, { challenge_id: json.challenge_id, ...more });
}
const signIn = (app: TestApp) => withChallenge(app, '/v1/match', { descriptors: [faces.genuine(1, 1)] });

/** By app. */
const home = new Map<TestApp, string>();

test('an app stays on its node, and both nodes have some', async () => {
  for (const app of apps) {
    const person = { email: someEmail(), descriptors: [faces.genuine(1)], consent };
    const answers = [await withChallenge(app, '/v1/enroll', person)];
    for (let n = 0; n < 3; n++) answers.push(await signIn(app));
    assert.equal(
      answers.map(({ status }) => status),
      [201, 200, 200, 200],
    );
    const seen = new Set(answers.map(nodeOf));
    assert.is(seen.size, 1, 'one node');
    home.set(app, nodeOf(answers[0] as (typeof answers)[0]));
  }
  assert.is(new Set(home.values()).size, 2, 'both nodes');
});

test('requests without a key go to both nodes', async () => {
  const ask = callerOf(haproxy.secure, { ...(apps[0] as TestApp), live: { pk: '', sk: '' } }, '127.0.7.2');
  const seen = new Set<string>();
  for (let n = 0; n < 8; n++)
    seen.add(nodeOf(await ask('GET', '/.well-known/jwks.json', undefined, { 'x-svc-key': '' })));
  assert.is(seen.size, 2);
});

test('the database is gone: nodes say so themselves, the key set is served, and all goes on by itself', async () => {
  const [app] = apps as [TestApp];
  const keys = (await from(app)('GET', '/.well-known/jwks.json')).json;
  await database.crash();
  const began = performance.now();
  // Longer than HAProxy needs to see that no node is well.
  while (performance.now() - began < 4_000) {
    const { status, json } = await from(app)('GET', '/.well-known/jwks.json');
    assert.equal([status, json], [200, keys]);
    const refused = await from(app)('POST', '/v1/challenges');
    assertEnvelope({ status: refused.status, json: refused.json, text: JSON.stringify(refused.json) });
    assert.equal([refused.status, refused.json.error.code], [503, 'service_unavailable']);
    assert.is(refused.headers['retry-after'], '1');
    assert.ok([...home.values()].includes(nodeOf(refused)), 'answered by a node');
    const health = await from(app)('GET', '/health');
    assert.equal([health.status, health.json.db], [503, 'down']);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  await database.boot();
  await soon(async () => (await from(app)('GET', '/health')).status === 200, 'well again', 5_000);
  assert.is((await signIn(app)).status, 200);
});

test('a node is killed: its apps go on at the other one', async () => {
  const [node] = nodes as [Server];
  const answer = await fetch(`${node.base}/health`);
  const dead = nodeOf({ headers: Object.fromEntries(answer.headers) });
  const moved = apps.filter(app => home.get(app) === dead);
  assert.ok(moved.length > 0);
  node.kill('SIGKILL');
  await node.ended;
  // No connection can be made, so HAProxy asks the other node at once.
  for (const app of moved) {
    const signedIn = await signIn(app);
    assert.is(signedIn.status, 200, JSON.stringify(signedIn.json));
    assert.is.not(nodeOf(signedIn), dead);
  }
  for (const app of apps.filter(app => !moved.includes(app)))
    assert.is(nodeOf(await signIn(app)), home.get(app));
});

test.run();
