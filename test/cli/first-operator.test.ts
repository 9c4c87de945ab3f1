/** Who sets up the portal: on a terminal the first start prints a link, elsewhere the command to type. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { environment, json, madeDataDir, newDataDir, ROOT, serve, within } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: first operator');
const LINK = /\/link#[\w-]{43}/;

test('where stderr is no terminal: the command to type, and no link', async () => {
  const server = await serve({ DATA_DIR: await madeDataDir() });
  const { stderr, stdout } = (await server.stop()) ?? server.printed;
  const { port } = new URL(server.portal);
  const hint = `^Set up the portal \\(make a link, then open it\\): {2}DATA_DIR=\\S+ PORTAL_PORT=${port} .* operator link --admin$`;
  assert.match(stderr, new RegExp(hint, 'm'));
  assert.not.match(stderr + stdout, LINK);
});

test('on a terminal: a link that makes an admin, once; never in the log', async () => {
  const DATA_DIR = newDataDir();
  const line = `exec "${process.execPath}" "${join(ROOT, 'src/main.ts')}" serve > "${DATA_DIR}.log"`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: environment({ DATA_DIR, DEMO: 'on', SHELL: '/bin/sh' }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  const ended = once(child, 'close');
  for await (const text of child.stdout.setEncoding('utf8')) {
    shown += text;
    if (/set it up: .*once\)/.test(shown)) break;
  }
  assert.match(
    shown,
    /Portal (http:\/\/localhost:\d+) – set it up: \1\/link#[\w-]{43} \(30 minutes, once\)/,
    shown,
  );
  const { entries } = await json(['audit'], { DATA_DIR }, within);
  assert.equal(entries.filter(({ action }: { action: string }) => action === 'operator.link').length, 1);
  child.kill('SIGTERM');
  await ended;
  assert.not.match(readFileSync(`${DATA_DIR}.log`, 'utf8'), LINK);
});

test.run();
