/** `demo`: works every time, beside a server or alone, and leaves nothing behind. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import {
  assertLike,
  assertRefused,
  cli,
  type Env,
  environment,
  json,
  madeDataDir,
  newDataDir,
  ROOT,
  type Server,
  serve,
  tempFolder,
  text,
  within,
} from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: demo');
const RUNS = 10;
const env = { DATA_DIR: newDataDir() };
let server: Server;
let beside: Env;

test.before(async () => {
  server = await serve(env);
  beside = { ...env, PORT: new URL(server.base).port };
});
test.after(() => server?.stop());

/** Rows that would tell of a demo that did not clean up. */
function left(dataDir: string): Json {
  const database = new Database(join(dataDir, 'face-sign-in.db'), { readonly: true });
  const tables = ['apps', 'api_keys', 'users', 'templates', 'consents', 'challenges', 'galleries'];
  const count = (table: string) => (database.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get() as Json).n;
  const counts = Object.fromEntries(tables.map(table => [table, count(table)]));
  database.close();
  return counts;
}

test(`${RUNS} runs in a row under the usual limits work alike and leave nothing behind`, async () => {
  const before = left(env.DATA_DIR);
  const shown = new Set<string>();
  for (let i = 0; i < RUNS; i++) {
    const answer = await json(['demo'], beside);
    const steps = answer.steps.map(() => ({ step: /./, result: /./ }));
    assert.ok(answer.steps.every(({ ms }: Json) => typeof ms === 'number' && ms >= 0));
    const bare = answer.steps.map(({ ms, ...rest }: Json) => rest);
    assertLike({ ...answer, steps: bare }, { address: server.base, steps });
    shown.add(JSON.stringify(bare.map(({ step }: Json) => step)));
    assert.equal(left(env.DATA_DIR), before);
  }
  assert.is(shown.size, 1, 'the same steps every time');
  const [steps] = [...shown] as [string];
  for (const part of ['enrolls', 'signs in', 'offline', 'online', 'signs out', 'email code', 'stranger'])
    assert.match(steps, new RegExp(part));
});

test('people read numbered steps with a result each', async () => {
  const lines = (await text(['demo'], beside)).split('\n');
  assert.ok(lines.some(line => line.includes(server.base) && !/started for this/.test(line)));
  const titles = lines.filter(line => /^\d+\. /.test(line));
  assert.ok(titles.length >= 9, lines.join('\n'));
  assert.is(lines.filter(line => /^ +→ .+ \[[\d.]+ ms\]$/.test(line)).length, titles.length);
  assert.match(lines.join('\n'), /no_match[\s\S]*are erased/);
});

test('when nobody reads on, it ends with one line and leaves nothing behind', async () => {
  const before = left(env.DATA_DIR);
  const line = `"${process.execPath}" src/main.ts demo | head -n 2`;
  const stderr = await new Promise<string>(done =>
    execFile('sh', ['-c', line], { cwd: ROOT, env: environment(beside) }, (_error, _out, errors) =>
      done(errors),
    ),
  );
  assert.match(stderr, /^face-sign-in: the output of the demo was closed[^\n]+erased\n$/);
  assert.equal(left(env.DATA_DIR), before);
});

test('two signals, as npm and a terminal send for one Ctrl+C, end it without leaving anything behind', async () => {
  const before = left(env.DATA_DIR);
  const child = spawn(process.execPath, ['src/main.ts', 'demo'], { cwd: ROOT, env: environment(beside) });
  const closed = once(child, 'close');
  await new Promise<void>(begun => child.stdout.on('data', part => /^1\. /m.test(String(part)) && begun()));
  // Signals of one kind that wait together count as one; and one that comes when all is done ends any program.
  for (let i = 0; i < 3 && child.kill('SIGINT'); i++) await delay(2);
  const [, signal] = await closed;
  assert.is(signal, null, 'it ended by itself');
  assert.equal(left(env.DATA_DIR), before);
});

test('what an earlier demo left behind is erased, and no app that only looks like it', async () => {
  const mark = 'https://sign-in-demo.invalid';
  const made: Json[] = [];
  for (const [name, ...origins] of [
    ['Sign-in demo', mark],
    ['Sign-in demo'],
    ['Sign-in demo', mark, 'https://shop.example'],
    ['Shop', mark],
  ] as [string, ...string[]][]) {
    const options = origins.flatMap(origin => ['--origin', origin]);
    made.push((await json(['app', 'create', '--name', name, ...options], env, within)).app);
  }
  const database = new Database(join(env.DATA_DIR, 'face-sign-in.db'));
  database.prepare('UPDATE apps SET created_at = created_at - 7200000').run();
  database.close();
  // One that is under way elsewhere.
  made.push((await json(['app', 'create', '--name', 'Sign-in demo', '--origin', mark], env, within)).app);
  await json(['demo'], beside);
  const { apps } = await json(['app', 'list'], env, within);
  assert.equal(
    apps.map((app: Json) => app.id),
    made.slice(1).map(app => app.id),
  );
});

test('without a server it starts one of its own, in a folder that goes', async () => {
  const TMPDIR = tempFolder();
  const settings = { DATA_DIR: newDataDir(), PORT: String(await freePort()), TMPDIR };
  const answer = await json(['demo'], settings);
  assert.match(answer.address, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.is.not(answer.address, `http://127.0.0.1:${settings.PORT}`);
  assert.not.ok(existsSync(settings.DATA_DIR), 'the data folder of the settings is left alone');
  assert.equal(readdirSync(TMPDIR), []);
});

test('beside a server on other data: one line that says which settings to use, nothing left behind', async () => {
  const none = { ...beside, DATA_DIR: newDataDir() };
  assertRefused(
    await cli(['demo', '--json'], none),
    1,
    /another database: .* settings of your server \(PORT, DATA_DIR, DATABASE_URL\)$/m,
  );
  assert.not.ok(existsSync(none.DATA_DIR), 'no database where the server has none');
  const other = { ...beside, DATA_DIR: await madeDataDir() };
  await json(['app', 'create', '--name', 'Shop'], other, within);
  const before = left(other.DATA_DIR);
  assertRefused(
    await cli(['demo', '--json'], other),
    1,
    /another database: .* settings of your server \(PORT, DATA_DIR, DATABASE_URL\)$/m,
  );
  assert.equal(left(other.DATA_DIR), before);
});

test.run();
