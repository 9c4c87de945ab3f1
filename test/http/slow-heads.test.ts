/** Heads of requests that do not come to their end, and requests that want another protocol: neither is waited with for long. */
import { connect } from 'node:net';
import * as assert from 'uvu/assert';
import { createHttpServer, type HttpServer, TIMEOUTS, type Timeouts } from '../../src/http/server.ts';
import { suite } from '../support/suite.ts';

const test = suite('slow-heads');
const servers: HttpServer[] = [];
test.after(() => Promise.all(servers.map(server => server.close(0))));
/** Far below the interval in which Node.js looks for slow connections unless told. */
const PATIENCE_MS = 15_000;

/** Sends the bytes to a server whose answers name the path. Resolves with all that came, when the connection is closed. */
async function sent(bytes: string, timeouts: Timeouts = TIMEOUTS): Promise<string> {
  const listener: Parameters<typeof createHttpServer>[0] = (request, response) => {
    request.resume().on('end', () => response.end(`<${request.url}>`));
  };
  const server = createHttpServer(
    listener,
    () => 'req_1',
    () => undefined,
    timeouts,
  );
  servers.push(server);
  const { port } = await server.listen('127.0.0.1', 0);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`still open: ${text}`));
    }, PATIENCE_MS);
    socket.on('data', part => {
      text += part;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

const short: Timeouts = { ...TIMEOUTS, headers: 200, request: 400, check: 50 };

for (const [what, bytes] of [
  ['half a head', 'GET /a HTTP/1.1\r\nHost: x\r\nX-A: '],
  ['half a head behind a whole request', 'GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HT'],
  ['half a body', 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n{'],
] as const)
  test(`${what} is refused as soon as its time is up`, async () => {
    const text = await sent(bytes, short);
    assert.match(
      text,
      /HTTP\/1\.1 400 .*"invalid_request","message":"The request did not arrive in time\."/s,
    );
  });

test('the time of a head is 10 s, and held to within a second', () => {
  assert.is(TIMEOUTS.headers, 10_000);
  assert.ok(TIMEOUTS.check <= 1_000);
});

for (const [what, head, body] of [
  ['websocket', ['GET /a HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'], ''],
  [
    'HTTP/2',
    ['GET /a HTTP/1.1', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA'],
    '',
  ],
  ['a body', ['POST /a HTTP/1.1', 'Connection: Upgrade', 'Upgrade: x', 'Content-Length: 2'], '{}'],
  ['no body', ['POST /a HTTP/1.1', 'Connection: Upgrade', 'Upgrade: x', 'Content-Length: 0'], ''],
] as const)
  for (const behind of ['', 'GET /b HTTP/1.1\r\nHost: x\r\n\r\n', '\x81\x05hello'])
    test(`an upgrade (${what}) is passed over: one answer, and the connection ends; behind it ${JSON.stringify(behind.slice(0, 6))}`, async () => {
      const text = await sent(`${[...head, 'Host: x'].join('\r\n')}\r\n\r\n${body}${behind}`);
      assert.equal(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200']);
      assert.match(text, /\r\nConnection: close\r\n/i);
      assert.match(text, /<\/a>$/m);
    });

test.run();
