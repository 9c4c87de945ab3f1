/** Output into pipes: who stops reading is no fault, who reads slowly gets everything. */
import { execFile } from 'node:child_process';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { environment, json, madeDataDir, ROOT } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: pipes');
const env = { DATA_DIR: await madeDataDir() };
const APPS = 3_000;

test.before(async () => {
  await json(['app', 'create', '--name', 'First'], env);
  const database = new Database(`${env.DATA_DIR}/face-sign-in.db`);
  const add = database.prepare(
    `INSERT INTO apps (id, name, allowed_origins, first_party, plan, created_at)
     SELECT ?, 'App', allowed_origins, first_party, plan, created_at FROM apps LIMIT 1`,
  );
  database.transaction(() => {
    for (let i = 1; i < APPS; i++) add.run(`app_${i}`);
  })();
  database.close();
});

function shell(line: string): Promise<{ stdout: string; stderr: string }> {
  const program = `"${process.execPath}" src/main.ts`;
  return new Promise(done =>
    execFile(
      'sh',
      ['-c', line.replaceAll('PROGRAM', program)],
      { cwd: ROOT, env: environment(env), maxBuffer: 64_000_000 },
      (_error, stdout, stderr) => done({ stdout, stderr }),
    ),
  );
}

test('a reader that has seen enough ends it quietly', async () => {
  for (const line of [
    'PROGRAM app list | head -n 1',
    'PROGRAM app list --json | head -c 1',
    'PROGRAM --help | true',
  ])
    assert.is((await shell(line)).stderr, '', line);
  const code = await shell('{ PROGRAM app list; echo "code $?" >&2; } | head -n 1');
  assert.is(code.stderr, 'code 0\n');
});

test('a slow reader gets all of it', async () => {
  const { stdout } = await shell('PROGRAM app list --json | { sleep 0.5; cat; }');
  assert.is(JSON.parse(stdout).apps.length, APPS);
});

test('following ends by itself when nobody reads on', async () => {
  const database = new Database(`${env.DATA_DIR}/face-sign-in.db`);
  const add = (i: number) =>
    database
      .prepare(`INSERT INTO auth_events (id, app_id, mode, type, at) VALUES (?, 'app_1', 'live', 'match', ?)`)
      .run(`evt_${i}`, Date.now());
  add(0);
  let i = 0;
  const timer = setInterval(() => add(++i), 50);
  try {
    const { stderr, stdout } = await shell('PROGRAM events --follow | head -n 2');
    assert.is(stderr, '');
    assert.is(stdout.split('\n').length, 3);
  } finally {
    clearInterval(timer);
    database.close();
  }
});

test.run();
