/** The service behind Caddy, as src/packaging/Caddyfile has it. What holds behind every proxy is in proxied.ts. */
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { TIMEOUTS } from '../../src/http/server.ts';
import { type Json, soon } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { suite } from '../support/suite.ts';
import { CADDYFILE, startCaddy, validated } from './caddy.ts';
import { callerOf } from './caller.ts';
import { type ProxyServer, proxied } from './proxied.ts';

const test = suite('packaging: caddy');
const { app, proxy: caddy, from } = proxied(test, startCaddy, [300_000, 3_000_000]);

/** Addresses of callers, paths and keys. */
const PRIVATE = /127\.0\.[1-6]\.|\/v1\/|svc_[ps]k|usr_/;
const lines = (of: ProxyServer): Json[] =>
  of
    .log()
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));
/** The first such line. Caddy writes it after it has answered. */
async function logged(of: ProxyServer, wanted: (line: Json) => boolean): Promise<Json> {
  await soon(async () => lines(of).some(wanted), 'the line in the log', 10_000);
  return lines(of).find(wanted);
}

test('the file is accepted as it is, and gives idle connections up before the service does', () => {
  validated(CADDYFILE);
  const [, seconds] = /^\s+keepalive (\d+)s$/m.exec(readFileSync(CADDYFILE, 'utf8')) ?? [];
  assert.ok(Number(seconds) * 1_000 < TIMEOUTS.keepAlive);
});

test('plain HTTP leads to TLS', async () => {
  const plain = await fetch(`http://127.0.0.1:${caddy.plain}/v1/challenges`, {
    redirect: 'manual',
    headers: { host: 'face.example' },
  });
  assert.is(plain.status, 308);
  assert.match(plain.headers.get('location') ?? '', /^https:\/\/[^/]+\/v1\/challenges$/);
});

test("Caddy's log has each request with its id, and neither an address nor a path", async () => {
  const { headers } = await from('127.0.5.1')('GET', '/v1/me');
  const id = String(headers['x-request-id']);
  const line = await logged(caddy, ({ resp_headers }) => resp_headers?.['X-Request-Id']?.[0] === id);
  assert.equal([line?.request.method, line?.status], ['GET', 401]);
  assert.not.match(caddy.log(), PRIVATE);
});

test('a service that breaks off: one error of its kind, the request is not repeated, and nobody is logged', async () => {
  const got: string[] = [];
  const open = new Set<Socket>();
  let isWell = true;
  const service = createServer(socket => {
    open.add(socket);
    socket
      .on('error', () => {})
      .on('data', bytes => {
        got.push(bytes.toString('latin1').split(' ')[0] ?? '');
        if (isWell) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
        else socket.destroy();
      });
  });
  const port = await freePort();
  await new Promise<void>(done => service.listen(port, '127.0.0.1', done));
  const other = await startCaddy(`127.0.0.1:${port}`);
  try {
    const ask = callerOf(other.secure, app, '127.0.6.1');
    // A connection that was used before is what HTTP clients repeat requests on.
    assert.is((await ask('GET', '/health')).status, 200);
    isWell = false;
    for (const body of [undefined, { challenge_id: 'chl_x' }]) {
      got.length = 0;
      const { status, json, headers } = await ask('POST', '/v1/match', body, { 'idempotency-key': 'k' });
      assert.equal([status, json.error.code, got.length], [503, 'service_unavailable', 1]);
      assert.match(String(headers['content-type']), /^application\/json/);
      assert.is(headers['cache-control'], 'no-store');
      isWell = true;
      await ask('GET', '/health');
      isWell = false;
    }
    const refused = () => lines(other).filter(line => line.status === 503);
    await soon(async () => refused().length === 2, 'both lines in the log', 10_000);
    assert.not.match(other.log(), PRIVATE);
  } finally {
    await other.stop();
    for (const socket of open) socket.destroy();
    service.close();
  }
});

test.run();
