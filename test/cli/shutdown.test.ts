/** The end of `serve`: requests under way are answered, the exit code is 0, and no client can hold it up. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { consent, faces, type Json } from '../support/client.ts';
import { suite } from '../support/suite.ts';
import { logLines, newDataDir, type Ran, type Server, serve } from './process.ts';

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

for (const signals of [['SIGTERM'], ['SIGINT'], ['SIGINT', 'SIGINT']] as const) {
  test(`${signals.join(', then ')}: a request under way is answered in full, then exit 0`, async () => {
    const started = await start();
    const { server } = started;
    // A connection that is kept alive and idle holds nothing up.
    const idle = await begin(started);
    assert.match(await Promise.race([idle.finish(), once(idle.socket, 'data').then(String)]), /^HTTP\/1\.1 /);
    const request = await begin(started);
    for (const signal of signals) {
      server.kill(signal);
      await Promise.race([stopping(server), server.ended]);
    }
    const answer = await request.finish();
    assert.match(
      answer,
      /HTTP\/1\.1 409 [\s\S]*"code":"email_taken"/,
      JSON.stringify(answer || (await server.ended)),
    );
    assertClean(await server.ended);
  });
}

test('a request that never ends does not keep the process', async () => {
  assertClean(await held.ran);
  held.socket.destroy();
});

test.run();
