/** The end of `serve`: requests under way are answered, the exit code is 0, and no client can hold it up. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import * as assert from 'uvu/assert';
import { consent, faces, type Json } from '../support/client.ts';
import { cli, json, logLines, newDataDir, type Ran, ROOT, type Server, serve } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: shutdown');
const origin = 'http://localhost:3000';
let held: { ran: Promise<Ran>; socket: Socket };

/** A server whose demo key lets anyone enroll. */
async function start(): Promise<{ server: Server; key: string }> {
  const server = await serve({ DATA_DIR: newDataDir(), DEMO: 'on' });
  return { server, key: /svc_pk_test_\w+/.exec(server.printed.stderr)?.[0] ?? '' };
}

interface Begun {
  readonly socket: Socket;
  /** Sends the rest of the body, and answers what came back until the connection ended. */
  finish(): Promise<string>;
}

/** An enroll request whose body has come half; the server has begun with it. */
async function begin({ server, key }: { server: Server; key: string }): Promise<Begun> {
  const headers = { 'x-svc-key': key, origin };
  const asked = await fetch(`${server.base}/v1/challenges`, { method: 'POST', headers });
  const { challenge_id } = (await asked.json()) as Json;
  const body = JSON.stringify({
    challenge_id,
    email: 'ada@example.com',
    descriptors: [faces.genuine(0)],
    consent,
  });
  const { hostname, port, host } = new URL(server.base);
  const socket = connect(Number(port), hostname);
  let seen = '';
  socket.setEncoding('utf8').on('data', text => {
    seen += text;
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = [
    'POST /v1/enroll HTTP/1.1',
    `Host: ${host}`,
    `X-Svc-Key: ${key}`,
    `Origin: ${origin}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    // The server asks for the body when it has begun with the request.
    'Expect: 100-continue',
  ];
  const half = Math.floor(body.length / 2);
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, half)}`);
  while (!seen.startsWith('HTTP/1.1 100 ')) await new Promise(resume => setTimeout(resume, 5));
  const closed = new Promise<void>(done => socket.on('close', () => done()));
  const finish = async () => {
    socket.write(body.slice(half));
    await closed;
    return seen;
  };
  return { socket, finish };
}

/** Resolves when the server takes no more connections, and so has begun to stop. */
async function stopping({ base }: Server): Promise<void> {
  const { hostname, port } = new URL(base);
  for (;;) {
    const socket = connect(Number(port), hostname);
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (!open) return;
    await new Promise(resume => setTimeout(resume, 20));
  }
}

function assertClean(ran: Ran): void {
  assert.equal([ran.code, ran.signal], [0, null], ran.stderr);
  assert.ok(logLines(ran.stdout).some(line => line.msg === 'closed'));
}

test.before(async () => {
  const started = await start();
  const { socket } = await begin(started);
  started.server.kill('SIGTERM');
  held = { ran: started.server.ended, socket };
});

for (const signals of [['SIGTERM'], ['SIGINT'], ['SIGHUP'], ['SIGINT', 'SIGTERM']] as const) {
  test(`${signals.join(', then ')}: a request under way is answered in full, then exit 0`, async () => {
    const started = await start();
    const { server } = started;
    // A connection that is kept alive and idle holds nothing up.
    const idle = await begin(started);
    assert.match(await Promise.race([idle.finish(), once(idle.socket, 'data').then(String)]), /^HTTP\/1\.1 /);
    const request = await begin(started);
    // Together, as a terminal and npm send them for a single Ctrl+C.
    for (const signal of signals) server.kill(signal);
    await Promise.race([stopping(server), server.ended]);
    const answer = await request.finish();
    assert.match(
      answer,
      /HTTP\/1\.1 409 [\s\S]*"code":"email_taken"/,
      JSON.stringify(answer || (await server.ended)),
    );
    assertClean(await server.ended);
  });
}

test('readers who wait in a feed are answered at once, then exit 0', async () => {
  const env = { DATA_DIR: newDataDir() };
  const server = await serve(env);
  const { app } = await json(['app', 'create', '--name', 'Shop'], env);
  const { key } = await json(['key', 'create', '--app', app.id, '--type', 'secret', '--mode', 'live'], env);
  const get = (path: string) =>
    fetch(`${server.base}/v1/${path}`, { headers: { authorization: `Bearer ${key}` } });
  const { next_after } = (await (await get('revocations')).json()) as Json;
  const paths = ['events?after=0&wait=25', `revocations?after=${next_after}&wait=25`];
  const readers = Array.from({ length: 10 }, (_, n) => get(paths[n % 2] as string));
  const underWay = async () => (await fetch(`${server.portal}/metrics`)).text();
  while (!/requests_in_flight 10$/m.test(await underWay()))
    await new Promise(resume => setTimeout(resume, 50));
  const began = performance.now();
  server.kill('SIGTERM');
  const answers = await Promise.all(readers);
  assert.equal(
    answers.map(({ status }) => status),
    Array(10).fill(200),
  );
  assertClean(await server.ended);
  console.log(
    `ten readers were answered and the server closed in ${Math.round(performance.now() - began)} ms`,
  );
});

test("while requests under way are waited for, the operators' address says so", async () => {
  const started = await start();
  const { server } = started;
  const request = await begin(started);
  server.kill('SIGTERM');
  await stopping(server);
  const answer = await fetch(`${server.portal}/health`);
  const { status, draining, db, problems } = (await answer.json()) as Json;
  assert.equal([answer.status, status, draining, db], [503, 'down', true, 'ok']);
  assert.equal(
    problems.map(({ name }: Json) => name),
    ['draining'],
  );
  assert.match(await (await fetch(`${server.portal}/metrics`)).text(), /^face_sign_in_draining 1$/m);
  assert.match(await request.finish(), /HTTP\/1\.1 201 /);
  assertClean(await server.ended);
});

test('a signal more than a second after the first ends a stop that is held up, at once and with code 1', async () => {
  const started = await start();
  const { server } = started;
  const { socket } = await begin(started);
  let over: Ran | undefined;
  void server.ended.then(ran => {
    over = ran;
  });
  const before = server.printed.stderr.length;
  while (!over) {
    server.kill('SIGTERM');
    await new Promise(resume => setTimeout(resume, 200));
  }
  socket.destroy();
  assert.equal([over.code, over.signal], [1, null]);
  assert.is(
    over.stderr.slice(before),
    'face-sign-in: stopped at once by a second SIGTERM: running requests were cut off\n',
  );
  assert.not.ok(logLines(over.stdout).some(line => line.msg === 'closed'));
  assert.ok(
    logLines(over.stdout).some(line => line.msg === 'request'),
    'what was logged before is not lost',
  );
});

test('a stop that cannot end is ended all the same, with code 1 and one line', async () => {
  const DATA_DIR = newDataDir();
  const server = await serve({ DATA_DIR, DEMO: 'on' });
  const key = /svc_pk_test_\w+/.exec(server.printed.stderr)?.[0] ?? '';
  const before = server.printed.stderr.length;
  const holder = new Database(join(DATA_DIR, 'face-sign-in.db'));
  holder.exec('BEGIN IMMEDIATE');
  const write = () =>
    fetch(`${server.base}/v1/challenges`, { method: 'POST', headers: { 'x-svc-key': key, origin } }).catch(
      () => undefined,
    );
  // The later ones wait behind the first, each for as long as a write waits for its turn.
  const writes = [write()];
  await new Promise(resume => setTimeout(resume, 100));
  writes.push(write(), write());
  await new Promise(resume => setTimeout(resume, 100));
  server.kill('SIGTERM');
  const ran = await server.ended;
  holder.close();
  await Promise.all(writes);
  assert.equal([ran.code, ran.signal], [1, null]);
  assert.is(
    ran.stderr.slice(before),
    'face-sign-in: shutdown did not finish within 9.5 s: stopped, and running work was cut off\n',
  );
});

test('a log that can no longer be written, as on a closed terminal or a full disk, does not hold up the end', async () => {
  const full = openSync('/dev/full', 'w');
  const env = { ...process.env, DATA_DIR: newDataDir(), PORT: '0', PORTAL_PORT: '0' };
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), 'serve'], {
    stdio: ['ignore', full, 'pipe'],
    env,
  });
  closeSync(full);
  const ended = once(child, 'exit');
  for await (const text of child.stderr ?? []) if (/ is ready\n/.test(String(text))) break;
  child.kill('SIGHUP');
  assert.equal(await ended, [0, null]);
});

test('lines logged while others are being written are written too, and later ones are dropped', async () => {
  const text = `import { logOutput } from ${JSON.stringify(pathToFileURL(join(ROOT, 'src/service/log-output.ts')))};
    const { stream, finish } = logOutput(1);
    stream.write('under way\\n');
    stream.flush();
    stream.write('last\\n');
    await finish();
    stream.write('late\\n');`;
  const ran = await cli([], {}, { entry: ['--input-type=module', '--eval', text] });
  assert.equal([ran.code, ran.stdout], [0, 'under way\nlast\n'], ran.stderr);
});

test('a request that never ends does not keep the process', async () => {
  assertClean(await held.ran);
  held.socket.destroy();
});

test.run();
