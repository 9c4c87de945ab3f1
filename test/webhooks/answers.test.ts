/** What the server of a webhook may answer, and what comes of it: one request each, to servers that are not kind. */
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { createSender } from '../../src/adapters/webhooks/sender.ts';
import { createTargets } from '../../src/adapters/webhooks/targets.ts';
import { createThreadedSender } from '../../src/adapters/webhooks/threaded-sender.ts';
import { certificate } from '../support/certificate.ts';
import { closing } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import { tempFolder } from '../support/temp-folder.ts';

const test = suite('webhooks: answers');
const SETTINGS = { allowed: [], allowsLoopback: true };
const targets = createTargets(SETTINGS, async () => [{ address: '127.0.0.1', family: 4 }]);
const SENDERS = {
  'in a command': () => createSender(targets, 'test/1'),
  'in a service': () => createThreadedSender(targets, { settings: SETTINGS, userAgent: 'test/1' }),
};

async function opened(server: Server) {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket.on('error', () => undefined));
  });
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  return closing({
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
}

const http = (answer: RequestListener) =>
  createHttpServer((req, res) => {
    req.resume();
    res.on('error', () => undefined);
    answer(req, res);
  });
const raw = (text: string, again = '') =>
  createServer(socket => {
    socket.once('data', () => {
      socket.write(text);
      const more = again && setInterval(() => socket.write(again), 1);
      socket.on('close', () => more && clearInterval(more));
    });
  });
const tls = (host: string) => {
  const folder = tempFolder();
  certificate(folder, host);
  const [cert, key] = ['certificate.pem', 'key.pem'].map(name => readFileSync(join(folder, name)));
  return createTlsServer({ cert, key }, (_, res) => void res.writeHead(204).end());
};

type Row = [name: string, server: () => Server, status: number | null, error: string | null, scheme?: string];
const ROWS: Row[] = [
  ['204', () => http((_, res) => void res.writeHead(204).end()), 204, null],
  ['299', () => http((_, res) => void res.writeHead(299).end('fine')), 299, null],
  ['404', () => http((_, res) => void res.writeHead(404).end('no')), 404, 'status'],
  ['500', () => http((_, res) => void res.writeHead(500).end()), 500, 'status'],
  [
    'a redirect',
    () => http((_, res) => void res.writeHead(307, { location: '/other' }).end()),
    307,
    'status',
  ],
  [
    'a redirect away',
    () => http((_, res) => void res.writeHead(302, { location: 'http://10.0.0.1/' }).end()),
    302,
    'status',
  ],
  [
    'an endless body',
    () =>
      http((_, res) => {
        res.writeHead(200);
        const more = setInterval(() => res.write('x'.repeat(9_000)), 1);
        res.on('close', () => clearInterval(more));
      }),
    200,
    null,
  ],
  ['a body that never ends', () => http((_, res) => void res.writeHead(200).write('x')), 200, null],
  [
    'a body of another length',
    () => http((_, res) => void res.writeHead(200, { 'content-length': 9 }).write('x', () => res.destroy())),
    200,
    null,
  ],
  [
    'headers of 17 KB',
    () => http((_, res) => void res.writeHead(200, { 'x-long': 'x'.repeat(17 * 1_024) }).end()),
    null,
    'answer',
  ],
  ['endless headers', () => raw('HTTP/1.1 200 OK\r\n', `x-a: ${'x'.repeat(100)}\r\n`), null, 'answer'],
  ['no HTTP', () => raw('220 mail.example ESMTP\r\n'), null, 'answer'],
  [
    'two lengths',
    () => raw('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx'),
    null,
    'answer',
  ],
  ['an end', () => createServer(socket => void socket.end()), null, 'connection'],
  ['a reset', () => createServer(socket => void socket.resetAndDestroy()), null, 'connection'],
  ['a certificate of nobody', () => tls('DNS:face.example'), null, 'tls', 'https'],
  ['no TLS', () => http((_, res) => void res.end()), null, 'tls', 'https'],
];

for (const [where, create] of Object.entries(SENDERS))
  test(`each answer has its outcome, ${where}`, async () => {
    await using sender = closing(create());
    for (const [name, serve, status, error, scheme = 'http'] of ROWS) {
      await using server = await opened(serve());
      const url = `${scheme}://face.example:${server.port}/`;
      const direct = where === 'in a command' ? url : url.replace('face.example', '127.0.0.1');
      const answer = await sender.send({ url: direct, headers: {}, body: '{}' });
      assert.equal([answer?.status, answer?.error], [status, error], name);
      assert.is(server.connections(), 1, name);
    }
    const dead = await opened(createServer());
    dead.close();
    const answer = await sender.send({ url: `http://127.0.0.1:${dead.port}/`, headers: {}, body: '{}' });
    assert.equal([answer?.status, answer?.error], [null, 'connection']);
  });

test('a certificate is verified whatever the environment says', async () => {
  await using server = await opened(tls('DNS:face.example'));
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    await using sender = closing(createSender(targets, 'test/1'));
    const answer = await sender.send({ url: `https://face.example:${server.port}/`, headers: {}, body: '' });
    assert.is(answer?.error, 'tls');
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  }
});

for (const [where, create] of Object.entries(SENDERS))
  test(`connections are used again, and a closed sender answers nothing, ${where}`, async () => {
    const seen: string[] = [];
    await using server = await opened(
      http((req, res) => {
        seen.push(String(req.headers['user-agent']));
        if (req.url !== '/never') res.writeHead(204).end();
      }),
    );
    const sender = create();
    const to = (path: string) => ({ url: `http://127.0.0.1:${server.port}${path}`, headers: {}, body: '{}' });
    for (let n = 0; n < 20; n++) await sender.send(to('/'));
    assert.ok(server.connections() <= 2, 'used again');
    const never = sender.send(to('/never'));
    while (seen.length < 21) await new Promise(turn => setTimeout(turn, 5));
    await sender.close();
    assert.equal([await never, await sender.send(to('/'))], [null, null]);
    assert.equal([...new Set(seen)], ['test/1']);
  });

test.run();
