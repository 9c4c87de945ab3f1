/** `serve`: the first run and the later ones, as an operator sees them. */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { call, enrolled, type Json, match, planFile, verify } from '../support/client.ts';
import { json, logLines, madeDataDir, newDataDir, type Server, serve, within } from '../support/process.ts';
import type { Running, TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: serve');
const env = { DATA_DIR: newDataDir(), DEMO: 'on' };
const KEY = /svc_[sp]k_(?:test|live)_[0-9A-Za-z]+/g;
let demo: { app: string; pk: string; sk: string };

/** What an operator reads off the screen. */
const field = (summary: string, label: string) =>
  new RegExp(`^ *${label} +(\\S+)`, 'm').exec(summary)?.[1] ?? '';
const appNames = async () => (await json(['app', 'list'], env, within)).apps.map((app: Json) => app.name);

async function assertSummary({ base, portal, printed }: Server): Promise<void> {
  const { stdout, stderr } = printed;
  assert.equal([field(stderr, 'API'), field(stderr, 'Portal')], [base, portal], stderr);
  assert.is(field(stderr, 'Data'), env.DATA_DIR);
  assert.match(base, /^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
  assert.match(portal, /^http:\/\/localhost:[1-9]\d+$/);
  assert.is((await fetch(`${base}/health`)).status, 200);
  const page = await fetch(portal);
  assert.is(page.status, 200);
  assert.ok((await page.text()).includes(base), "the operators' page names the API");
  logLines(stdout);
}

test('the first run prints addresses that work and the demo keys, and a sign-in works with them', async () => {
  const server = await serve(env);
  await assertSummary(server);
  const { stderr } = server.printed;
  demo = {
    app: field(stderr, 'app'),
    pk: field(stderr, 'publishable key'),
    sk: field(stderr, 'secret key'),
  };
  assert.match(demo.pk, /^svc_pk_test_[0-9A-Za-z]{24}$/);
  assert.match(demo.sk, /^svc_sk_test_[0-9A-Za-z]{32}$/);
  assert.equal(stderr.match(KEY), [demo.pk, demo.sk], 'each key once, and no other');
  assert.match(stderr, /^[\n\x20-\x7e]+$/, 'plain text');

  const run = { base: server.base } as Running;
  const keys = { pk: demo.pk, sk: demo.sk };
  const app: TestApp = {
    id: demo.app,
    name: 'Demo',
    origin: 'http://localhost:5173',
    live: keys,
    test: keys,
  };
  const mode = 'test';
  const { user } = await enrolled(run, app, { mode });
  const signedIn = await match(run, app, { mode });
  assert.is(signedIn.json.user?.id, user.id, signedIn.text);
  const verdict = await verify(run, app, signedIn.json.token, mode);
  assert.equal([verdict.json.valid, verdict.json.claims.iss], [true, server.base]);

  const { stdout } = await server.stop();
  const messages = logLines(stdout).map(line => line.msg);
  assert.is(messages.at(-1), 'closed');
  for (const secret of [demo.pk, demo.sk, signedIn.json.token, 'example.com'])
    assert.not.ok(stdout.includes(secret), `the log holds ${secret}`);
});

test('a second start prints the summary without keys, and the first ones still work', async () => {
  const server = await serve(env);
  await assertSummary(server);
  const { stderr } = server.printed;
  assert.is(stderr.match(KEY), null);
  const port = new URL(server.base).port;
  assert.ok(stderr.includes(`\nSee a sign-in (in another terminal):  PORT=${port} npm run demo\n`), stderr);
  assert.ok(stderr.includes(`\nTry it with your own face (in a browser):  ${server.portal}/try\n`), stderr);
  assert.equal(await appNames(), ['Demo']);
  const answer = await call({ base: server.base } as Running, 'GET', '/v1/app', {
    headers: { authorization: `Bearer ${demo.sk}` },
  });
  assert.equal(answer.json, { id: demo.app, name: 'Demo' });
  await server.stop('SIGINT');
});

test("an operator's deletion of the demo app is not undone", async () => {
  await json(['app', 'delete', demo.app, '--yes'], env, within);
  const server = await serve(env);
  assert.is(server.printed.stderr.match(KEY), null);
  await server.stop();
  assert.equal(await appNames(), []);
});

test('DEMO=off, and no DEMO at all, make no demo app', async () => {
  for (const settings of [{ DEMO: 'off' }, {}]) {
    const own = { ...settings, DATA_DIR: newDataDir() };
    const server = await serve(own);
    assert.is(server.printed.stderr.match(KEY), null);
    assert.not.match(server.printed.stderr, /\/try|demo/i);
    await server.stop();
    assert.equal(await json(['app', 'list'], own, within), { apps: [] });
  }
});

test('a plan that apps have and PLANS_FILE lacks is reported in the log and in the summary, until it is there', async () => {
  const own = { DATA_DIR: await madeDataDir() };
  const create = ['app', 'create', '--name', 'Shop', '--plan', 'gold'];
  const { app } = await json(create, { ...own, PLANS_FILE: planFile({ gold: 5 }) }, within);
  const startedWith = async (PLANS_FILE: string) => {
    const { stdout, stderr } = await (await serve({ ...own, PLANS_FILE })).stop();
    return { summary: stderr, lines: logLines(stdout).filter(({ level }) => level === 'warn') };
  };
  const { summary, lines } = await startedWith(planFile({ tiny: 3 }));
  assert.match(
    summary,
    new RegExp(`plan "gold" of ${app.id} is not in PLANS_FILE. The limits of "tiny", the smallest`),
  );
  assert.is(lines.length, 1);
  const { plan, apps, heldTo } = lines[0];
  assert.equal({ plan, apps, heldTo }, { plan: 'gold', apps: [app.id], heldTo: 'tiny' });
  const well = await startedWith(planFile({ gold: 5 }));
  assert.not.match(well.summary, /PLANS_FILE/);
  assert.equal(well.lines, []);
});

test('the data folder is made for its owner alone, and so is the master secret', async () => {
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  // Without whatever the entry sets: the modes are right by themselves.
  const before = process.umask(0);
  const own = await madeDataDir().finally(() => process.umask(before));
  for (const folder of [env.DATA_DIR, own]) {
    assert.is(mode(folder), '700');
    assert.is(mode(join(folder, 'master.key')), '600');
  }
});

test('in a folder that others may read, they still cannot read what the service writes', async () => {
  const DATA_DIR = newDataDir();
  mkdirSync(DATA_DIR, { mode: 0o755 });
  const server = await serve({ DATA_DIR });
  const open = readdirSync(DATA_DIR).filter(file => statSync(join(DATA_DIR, file)).mode & 0o077);
  await server.stop();
  assert.equal(open, [], 'files that others can read');
});

test('BASE_URL is the issuer, without its trailing slash; port 0 stays real in the addresses', async () => {
  const server = await serve({ DATA_DIR: newDataDir(), HOST: '0.0.0.0', BASE_URL: 'https://face.example/' });
  assert.is(server.issuer, 'https://face.example');
  assert.match(server.base, /^http:\/\/0\.0\.0\.0:[1-9]\d+$/);
  assert.is((await fetch(`${server.base}/health`)).status, 200);
  await server.stop();
});

test.run();
