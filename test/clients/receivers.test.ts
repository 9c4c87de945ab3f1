/**
 * The receivers that the guide and the portal show, as they are pasted: each takes what the service sends, once, and
 * refuses what anybody else sends. The feed by curl goes on where it was.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Filling, RECEIVERS } from '../../src/portal/app/pages/webhook-code.ts';
import { call, enrolled, faces, type Json, type Mode } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { ROOT, tempFolder } from '../support/process.ts';
import { snippet } from '../support/readme.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('receivers of events');
// The receivers live in the present, so the service must too.
const run = serviceFor(test, { env: { SIGNING_KEY_DAYS: '36500' } });
let app: TestApp;
let enrolments = 0;
let filling: Filling;
const running: ChildProcess[] = [];

test.before(async () => {
  run.clock.advance(Date.now() - run.clock.now());
  app = await run.createApp();
  const cli = `${process.execPath} ${join(ROOT, 'src/main.ts')}`;
  filling = { app: app.id, mode: 'live', issuer: run.base, cli };
});
test.after(() => {
  // With what a shell has started, which would keep this process from ending.
  for (const { pid } of running)
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
});

interface Program {
  readonly child: ChildProcess;
  /** Waits for a text of what it prints. @throws Error with what it printed instead when it ends */
  printed(text: string): Promise<void>;
  readonly said: () => string;
}

/** Writes the code to a file and runs that in its folder. */
function started(program: string, code: string, env: Record<string, string>, folder = tempFolder()): Program {
  writeFileSync(join(folder, 'code.mjs'), code);
  const child = spawn(program, ['code.mjs'], {
    cwd: folder,
    detached: true,
    env: { ...process.env, ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      said += text;
    });
  const ended = once(child, 'close').then(() => true);
  const printed = async (text: string) => {
    for (let isOver = false; !said.includes(text); ) {
      if (isOver) throw new Error(`it ended without "${text}":\n${said}`);
      isOver = await Promise.race([ended, new Promise<false>(resume => setTimeout(resume, 50, false))]);
    }
  };
  running.push(child);
  return { child, printed, said: () => said };
}

const command = async (...words: string[]): Promise<Json> => {
  const { code, json, stderr } = await run.cli(words);
  assert.is(code, 0, stderr);
  return json;
};

const ofApp = (mode: Mode) => ['--app', app.id, '--mode', mode];

/** @returns the user's id */
async function somebody(): Promise<string> {
  enrolments += 1;
  const fields = { email: `user${enrolments}@mail.example` };
  return (await enrolled(run, app, { descriptors: [faces.genuine(enrolments)], fields })).user.id;
}

const ofNode = (code: string) =>
  code.replace("'@face-sign-in/server'", JSON.stringify(join(ROOT, 'dist/sdk/server/index.js')));
const listens = async (port: number) => {
  const asks = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).catch(() => null);
  while (!(await asks())) await new Promise(resume => setTimeout(resume, 50));
};

/** What a request has to say, signed by a secret. */
function signed(secret: string, body: string, sent = Math.floor(Date.now() / 1_000)) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const mac = createHmac('sha256', key).update(`evt_1.${sent}.${body}`).digest('base64');
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': String(sent), 'webhook-signature': `v1,${mac}` };
}

/** @returns the event that was delivered, once that is recorded */
async function sent(webhook: string): Promise<string> {
  for (;;) {
    const [delivery] = (await command('webhook', 'deliveries', webhook)).deliveries;
    if (delivery) return delivery.event_id;
  }
}

const RECEIVED: [name: string, program: string, code: () => string, skips: boolean][] = [
  ['the guide’s in Node.js', process.execPath, () => ofNode(snippet('webhook-node', run)), true],
  ['the guide’s in Python', '/usr/bin/python3', () => snippet('webhook-python', run), true],
  ['the portal’s', process.execPath, () => ofNode(RECEIVERS.node.text()), false],
];

for (const [name, program, codeOf, skips] of RECEIVED)
  test(`${name}: takes what the service sends, and nothing else`, async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const { webhook, secret } = await command('webhook', 'create', ...ofApp('live'), '--url', url);
    const receiver = started(program, codeOf(), { PORT: String(port), FACE_WEBHOOK_SECRET: secret });
    await listens(port);
    const user = await somebody();
    await receiver.printed(user);

    const other = `whsec_${randomBytes(32).toString('base64')}`;
    const old = Math.floor(Date.now() / 1_000) - 3_600;
    const event = { id: 'evt_1', seq: 1, type: 'user.deleted', timestamp: new Date().toISOString() };
    const data = { app_id: app.id, livemode: true, user_id: 'usr_planted', reason: 'self' };
    const body = JSON.stringify({ ...event, data });
    for (const [what, headers, status] of [
      ['unsigned', {}, 400],
      ['by another secret', signed(other, body), 400],
      ['of another body', signed(secret, `${body} `), 400],
      ['an hour old', signed(secret, body, old), 400],
      ['by its own secret', signed(secret, body), 204],
    ] as const)
      assert.is((await fetch(url, { method: 'POST', headers, body })).status, status, what);

    await command('webhook', 'replay', webhook.id, await sent(webhook.id));
    const next = await somebody();
    await receiver.printed(next);
    assert.is(receiver.said().split(user).length - 1, skips ? 1 : 2, receiver.said());
    await command('webhook', 'delete', webhook.id, '--yes');
  });

test('the plain example: whoever is deleted has no session any more', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'node_modules/@face-sign-in'), { recursive: true });
  symlinkSync(join(ROOT, 'dist/sdk/server'), join(folder, 'node_modules/@face-sign-in/server'));
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const { secret } = await command('webhook', 'create', ...ofApp('test'), '--url', `${base}/webhooks`);
  const code = readFileSync(join(ROOT, 'src/sdk/examples/plain/server.mjs'), 'utf8');
  const env = { FACE_API: run.base, FACE_APP: app.id, FACE_WEBHOOK_SECRET: secret, PORT: String(port) };
  await started(process.execPath, code, env, folder).printed(base);
  const { user, token } = await enrolled(run, app, { mode: 'test' });
  const headers = { Authorization: `Bearer ${token}` };
  const begun = await fetch(`${base}/session`, { method: 'POST', headers });
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  const who = async () =>
    ((await (await fetch(`${base}/session`, { headers: { cookie } })).json()) as Json).email;
  assert.is(await who(), user.email);
  const secretKey = { authorization: `Bearer ${app.test.sk}` };
  assert.is((await call(run, 'DELETE', `/v1/users/${user.id}`, { headers: secretKey })).status, 204);
  while ((await who()) !== null) await new Promise(resume => setTimeout(resume, 50));
});

test('the guide’s feed by curl: goes on where it was', async () => {
  const folder = tempFolder();
  const feed = () => started('bash', snippet('events-curl', run), { FACE_SECRET_KEY: app.live.sk }, folder);
  const first = feed();
  while (!existsSync(join(folder, 'after.txt'))) {
    await somebody();
    await new Promise(resume => setTimeout(resume, 200));
  }
  first.child.kill('SIGKILL');
  const missed = await somebody();
  const second = feed();
  await second.printed(missed);
  assert.not.ok(first.said().includes(missed));
});

test('the portal’s lines for curl: the newest number, and what is kept', async () => {
  const user = await somebody();
  const code = RECEIVERS.curl.text(filling).replace('YOUR_SECRET_LIVE_KEY', app.live.sk);
  const shell = started('bash', code, {});
  await shell.printed(user);
  assert.match(shell.said(), /^\{"events":\[\],"next_after":\d+/);
});

test('the portal’s line for development: sends on, signed by what it prints', async () => {
  const port = await freePort();
  const line = RECEIVERS.shell.text(filling);
  const env = { DATA_DIR: run.dataDir };
  const listener = started('bash', line.replace(':3000', `:${port}`), env);
  await listener.printed('whsec_');
  const secret = /whsec_\S+/.exec(listener.said())?.[0] ?? '';
  const code = ofNode(RECEIVERS.node.text());
  const receiver = started(process.execPath, code, { PORT: String(port), FACE_WEBHOOK_SECRET: secret });
  await listens(port);
  await receiver.printed(await somebody());
});

test.run();
