/** `demo`: works every time, beside a server or alone, and leaves nothing behind. */
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import type { Json } from '../support/client.ts';
import { suite } from '../support/suite.ts';
import {
  assertLike,
  assertRefused,
  cli,
  type Env,
  json,
  newDataDir,
  type Server,
  serve,
  tempFolder,
  text,
} from './process.ts';

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

async function freePort(): Promise<string> {
  const holder = createServer();
  await new Promise<void>(ready => holder.listen(0, '127.0.0.1', ready));
  const { port } = holder.address() as AddressInfo;
  await new Promise(done => holder.close(done));
  return String(port);
}

test(`${RUNS} runs in a row under the usual limits work alike and leave nothing behind`, async () => {
  const before = left(env.DATA_DIR);
  const told = new Set<string>();
  for (let i = 0; i < RUNS; i++) {
    const answer = await json(['demo'], beside);
    const steps = answer.steps.map(() => ({ step: /./, result: /./ }));
    assert.ok(answer.steps.every(({ ms }: Json) => typeof ms === 'number' && ms >= 0));
    const bare = answer.steps.map(({ ms, ...rest }: Json) => rest);
    assertLike({ ...answer, steps: bare }, { address: server.base, steps });
    told.add(JSON.stringify(bare.map(({ step }: Json) => step)));
    assert.equal(left(env.DATA_DIR), before);
  }
  assert.is(told.size, 1, 'the same steps every time');
  const [steps] = [...told] as [string];
  for (const part of ['enrolls', 'signs in', 'offline', 'online', 'signs out', 'code by email', 'stranger'])
    assert.match(steps, new RegExp(part));
});

test('people read numbered steps with a result each', async () => {
  const lines = (await text(['demo'], beside)).split('\n');
  assert.ok(lines.some(line => line.includes(server.base) && !/started for this/.test(line)));
  const titles = lines.filter(line => /^\d+\. /.test(line));
  assert.ok(titles.length >= 9, lines.join('\n'));
  assert.is(lines.filter(line => /^ +→ .+ \[[\d.]+ ms\]$/.test(line)).length, titles.length);
  assert.match(lines.join('\n'), /no_match[\s\S]*erased again/);
});

test('without a server it starts one of its own, in a folder that goes', async () => {
  const TMPDIR = tempFolder();
  const settings = { DATA_DIR: newDataDir(), PORT: await freePort(), TMPDIR };
  const answer = await json(['demo'], settings);
  assert.match(answer.address, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.is.not(answer.address, `http://127.0.0.1:${settings.PORT}`);
  assert.not.ok(existsSync(settings.DATA_DIR), 'the data folder of the settings is left alone');
  assert.equal(readdirSync(TMPDIR), []);
});

test('beside a server on other data: one line that says which settings to use, nothing left behind', async () => {
  const other = { ...beside, DATA_DIR: newDataDir() };
  assertRefused(await cli(['demo', '--json'], other), 1, /settings of the server.*DATA_DIR/);
  assert.equal(new Set(Object.values(left(other.DATA_DIR))), new Set([0]));
});

test.run();
