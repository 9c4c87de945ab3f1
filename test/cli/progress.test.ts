/** Progress: a bar on a terminal, a line now and then elsewhere, nothing with --json, and nothing left behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { progressOn } from '../../src/cli/progress.ts';
import { run } from '../../src/cli/run.ts';
import { easyFaces, textOfLines } from '../support/labelled.ts';
import { environment, json, madeDataDir, newDataDir, ROOT, tempFolder } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: progress');
const CLEAR = '\r\u001b[K';

function given(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  let now = 0;
  const maker = progressOn({ isTTY, columns, write: text => written.push(text) }, () => now);
  const later = (ms: number) => {
    now += ms;
  };
  return { maker, written, later };
}

test('a bar grows on a terminal, a few times a second, and is gone at the end', () => {
  const { maker, written, later } = given(true);
  const bar = maker.begin('backup', 200);
  bar.at(1);
  assert.equal(written, [], 'quick work shows nothing');
  later(200);
  bar.at(100);
  bar.at(101);
  assert.equal(written, [`${CLEAR}backup [############............] 50 %`]);
  later(100);
  bar.at(400);
  assert.match(written[1] ?? '', /\[#{24}\] 100 %$/);
  bar.end();
  bar.end();
  assert.equal(written.slice(2), [CLEAR]);
});

test('a line is never wider than the terminal, whatever the label', () => {
  const { maker, written, later } = given(true, 20);
  const bar = maker.begin('日本\u001b[2J and a long label');
  later(500);
  bar.at(1_234);
  assert.ok((written[0] ?? '').length < CLEAR.length + 20);
  assert.not((written[0] ?? '').slice(CLEAR.length).includes('\u001b'));
  maker.endAll();
});

test('elsewhere a whole line every ten seconds; without a total, how much is done', () => {
  const { maker, written, later } = given(false);
  const rows = maker.begin('events');
  for (let i = 1; i <= 25; i++) {
    later(1_000);
    rows.at(i * 1_000);
  }
  assert.equal(written, ['events: 10,000\n', 'events: 20,000\n']);
  const share = maker.begin('backup', 3_000);
  later(10_000);
  share.at(1_000);
  assert.is(written[2], 'backup: 33 % (1,000 of 3,000)\n');
});

test('nowhere: nothing', () => {
  const bar = progressOn(null).begin('x', 1);
  bar.at(1);
  bar.end();
});

test('a command that fails takes its bar back before it says why; --json has none', async () => {
  const file = join(tempFolder(), 'faces.jsonl');
  // Several parts to read, and wrong at its end.
  writeFileSync(file, `${textOfLines(easyFaces(1_500, 2))}\nwrong\n`);
  const { now } = performance;
  let time = 0;
  // However fast the machine is, every look at the clock is a moment later.
  performance.now = () => {
    time += 300;
    return time;
  };
  for (const more of [[], ['--json']]) {
    const printed: string[] = [];
    const stderr = { isTTY: true, columns: 80, write: (text: string) => printed.push(text) };
    const code = await run(['calibrate', file, ...more], {
      env: environment({ DATA_DIR: newDataDir() }),
      print: () => undefined,
      printError: line => printed.push(line),
      stderr: stderr as never,
    });
    assert.is(code, 1);
    assert.match(printed.at(-1) ?? '', /^(?:face-sign-in: |\{"error":\{"message":")line \d+: is not JSON/);
    if (more.length > 0) assert.is(printed.length, 1);
    else {
      assert.match(printed[0] ?? '', /reading faces\.jsonl \[#*\.*\] \d+ %$/);
      assert.is(printed.at(-2), CLEAR);
    }
  }
  performance.now = now;
});

test('a backup that is interrupted leaves no line and no file behind', async () => {
  const env = { DATA_DIR: await madeDataDir() };
  await json(['app', 'create', '--name', 'Shop'], env);
  const database = new Database(join(env.DATA_DIR, 'face-sign-in.db'));
  const insert = database.prepare('INSERT INTO meta (name, value) VALUES (?, ?)');
  const filling = 'x'.repeat(1_000_000);
  database.transaction(() => {
    for (let i = 0; i < 300; i++) insert.run(`filling-${i}`, filling);
  })();
  database.close();
  const file = join(tempFolder(), 'backup.db');
  const child = spawn(process.execPath, ['src/main.ts', 'backup', file], {
    cwd: ROOT,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const parts = () => readdirSync(dirname(file)).filter(name => name.includes('.part-'));
  for (let i = 0; i < 2_000 && parts().length === 0 && !existsSync(file); i++) await delay(5);
  child.kill('SIGINT');
  const [, signal] = await closed;
  // A machine that was done sooner has a whole backup; either way nothing half-made is left.
  assert.is(signal === 'SIGINT', !existsSync(file));
  assert.equal(parts(), []);
});

test.run();
