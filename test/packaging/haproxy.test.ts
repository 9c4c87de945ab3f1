/**
 * The service behind HAProxy, as src/packaging/cluster/haproxy.cfg has it: HAProxy's own errors, and what nobody outside
 * may see. What holds behind every proxy is in proxied.ts, what needs two nodes in balanced.test.ts.
 */
import { createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';
import * as assert from 'uvu/assert';
import { assertEnvelope, parsed, soon } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { suite } from '../support/suite.ts';
import { type Answered, callerOf } from './caller.ts';
import { type Change, startHaproxy } from './haproxy.ts';
import { proxied } from './proxied.ts';

const test = suite('packaging: haproxy');
const {
  app,
  proxy: haproxy,
  from,
} = proxied(test, (service, portal) => startHaproxy([service], { portal }), [300_000]);

test('plain HTTP leads to TLS', async () => {
  const plain = await fetch(`http://127.0.0.1:${haproxy.plain}/v1/challenges`, { redirect: 'manual' });
  assert.is(plain.status, 301);
  assert.match(plain.headers.get('location') ?? '', /^https:\/\/[^/]+\/v1\/challenges$/);
});

test("HAProxy's log has each request with its id, and neither an address nor a path", async () => {
  const { headers } = await from('127.0.5.1')('GET', '/health');
  const lines = () => haproxy.log().split('\n');
  const line = () => lines().find(text => text.includes(String(headers['x-request-id'])));
  await soon(async () => line() !== undefined, 'the line in the log', 10_000);
  assert.match(line() ?? '', /^GET 200 \d+ \w+\/node\d \S+ \S+ \S+$/);
  assert.not.match(haproxy.log(), /127\.0\.[1-6]\.|usr_|\/v1/);
});

test("another machine sees the metrics of this machine's node, and nothing else of its portal", async () => {
  const at = (path: string) => fetch(`http://127.0.0.1:${haproxy.metrics}${path}`);
  assert.match(await (await at('/metrics')).text(), /^face_sign_in_/m);
  for (const path of ['/', '/try', '/internal/apps', '/metrics/../health'])
    assert.is((await at(path)).status, 403, path);
});

function assertOwnError(answer: Answered, status: number, code: string): void {
  const { json, headers } = answer;
  assert.equal([answer.status, json.error?.code], [status, code]);
  assertEnvelope({ status: answer.status, json, text: JSON.stringify(json) });
  assert.match(String(headers['x-request-id']), /^req_\w+$/);
  assert.is(headers['access-control-allow-origin'], app.origin);
  assert.is(headers['access-control-expose-headers'], 'Retry-After, X-Request-Id');
  assert.equal([headers.vary, headers['cache-control']], ['Origin', 'no-store']);
  assert.match(String(headers['strict-transport-security']), /^max-age=\d{8}/);
  assert.is(headers['retry-after'], status === 503 ? '1' : undefined);
}

test('a body beyond twice the limit is refused before it is read', async () => {
  assertOwnError(await sent(haproxy.secure, head(10_000_000)), 413, 'payload_too_large');
});

test('bytes that are no HTTP are refused, and headers that HAProxy has no room for', async () => {
  const large = head(0, `Cookie: ${'a'.repeat(140_000)}\r\n`);
  for (const bytes of ['nonsense\r\n\r\n', 'GET / HTTP/1.1\r\nHo st: a\r\n\r\n', large])
    assert.is((await sent(haproxy.secure, bytes)).status, 400, bytes.slice(0, 100));
});

const head = (length: number, more = '') =>
  `POST /v1/enroll HTTP/1.1\r\nHost: face.example\r\nOrigin: ${app.origin}\r\nContent-Length: ${length}\r\n${more}\r\n`;

/** These bytes, and no more. The answer, as soon as it is whole. */
function sent(port: number, bytes: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => socket.write(bytes));
    socket.setTimeout(10_000, () => socket.destroy(new Error(`no end of: ${text}`)));
    socket.on('data', data => {
      text += data;
      const [top = '', body = ''] = text.split('\r\n\r\n');
      if (body.length >= Number(/^content-length: (\d+)/im.exec(top)?.[1])) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [first = '', ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
      const headers = Object.fromEntries(lines.map(line => line.split(/: (.*)/).slice(0, 2)));
      resolve({
        status: Number(first.split(' ')[1]),
        headers,
        json: parsed(text.split('\r\n\r\n')[1] ?? ''),
      });
    });
  });
}

/** A node that is well and then does this to a request; how many it got, and what HAProxy answered. */
async function behind(
  how: 'gone' | 'broken' | 'silent',
  change: Change,
  act = (port: number) => callerOf(port, app, '127.0.6.2', false)('POST', '/v1/challenges'),
): Promise<{ answer: Answered; got: number }> {
  let got = 0;
  const open = new Set<Socket>();
  const node = createServer(socket => {
    open.add(socket);
    socket
      .on('error', () => undefined)
      .on('data', data => {
        if (String(data).startsWith('GET /health'))
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        else {
          got += 1;
          if (how === 'broken') socket.destroy();
        }
      });
  });
  const port = await freePort();
  if (how !== 'gone') await new Promise<void>(ready => node.listen(port, '127.0.0.1', ready));
  const balancer = await startHaproxy([`127.0.0.1:${port}`], change);
  try {
    return { answer: await act(balancer.secure), got };
  } finally {
    await balancer.stop();
    for (const socket of open) socket.destroy();
    node.close();
  }
}

test('nodes that are gone: 503 in the envelope, which pages can read', async () => {
  const { answer } = await behind('gone', {});
  assertOwnError(answer, 503, 'service_unavailable');
});

test('a node that breaks off: 503, and the request is not repeated', async () => {
  const { answer, got } = await behind('broken', {});
  assertOwnError(answer, 503, 'service_unavailable');
  assert.is(got, 1);
});

test('a node that does not answer in time: 503, and the request is not repeated', async () => {
  const { answer, got } = await behind('silent', { also: [['timeout server 30s', 'timeout server 1s']] });
  assertOwnError(answer, 503, 'service_unavailable');
  assert.is(got, 1);
});

test('headers that stop: 408', async () => {
  const also: [string, string][] = [['timeout http-request 10s', 'timeout http-request 1s']];
  const { answer } = await behind('silent', { also }, port => sent(port, 'GET / HTTP/1.1\r\nHost: '));
  assert.is(answer.status, 408);
});

test.run();
