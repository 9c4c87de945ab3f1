/** The service behind Caddy, as src/packaging/Caddyfile has it: TLS, callers' addresses, sizes, errors, and what must not be seen. */
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { TIMEOUTS } from '../../src/http/server.ts';
import { consent, faces, type Json, soon } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { CADDYFILE, type Caddy, startCaddy, validated } from './caddy.ts';
import { callerOf } from './caller.ts';

const test = suite('packaging: caddy');
const ISSUER = 'https://face.example';
const LIMIT = 5;
let caddy: Caddy;
let app: TestApp;

const run = serviceFor(test, {
  env: { BASE_URL: ISSUER, TRUST_PROXY: '1', LIMIT_IP_PER_MINUTE: String(LIMIT) },
});
test.before(async () => {
  caddy = await startCaddy(new URL(run.base).host);
  app = await run.createApp();
});
test.after(async () => {
  await caddy?.stop();
});

/** Addresses of callers, paths and keys. */
const PRIVATE = /127\.0\.[1-6]\.|\/v1\/|svc_[ps]k|usr_/;
const lines = (of: Caddy): Json[] =>
  of
    .log()
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));
/** The first such line. Caddy writes it after it has answered. */
async function logged(of: Caddy, wanted: (line: Json) => boolean): Promise<Json> {
  await soon(async () => lines(of).some(wanted), 'the line in the log', 10_000);
  return lines(of).find(wanted);
}

const from = (address: string, allowH2 = true) => callerOf(caddy.secure, app, address, allowH2);

test('the file is accepted as it is, and gives idle connections up before the service does', () => {
  validated(CADDYFILE);
  const [, seconds] = /^\s+keepalive (\d+)s$/m.exec(readFileSync(CADDYFILE, 'utf8')) ?? [];
  assert.ok(Number(seconds) * 1_000 < TIMEOUTS.keepAlive);
});

test('a person enrolls and signs in through TLS, over HTTP/2 and HTTP/1.1, with a token of the public address', async () => {
  for (const [i, allowH2] of [true, false].entries()) {
    const ask = from(`127.0.1.${i + 1}`, allowH2);
    const challenge = async () => (await ask('POST', '/v1/challenges')).json.challenge_id;
    const person = { email: `p${i}@example.com`, descriptors: [faces.genuine(i)], consent };
    const enrolled = await ask('POST', '/v1/enroll', { challenge_id: await challenge(), ...person });
    assert.is(enrolled.status, 201, JSON.stringify(enrolled.json));
    const descriptors = [faces.genuine(i, 1)];
    const challenge_id = await challenge();
    const { status, json, headers } = await ask('POST', '/v1/match', { challenge_id, descriptors });
    assert.is(status, 200);
    assert.is(json.user.id, enrolled.json.user.id);
    assert.is(JSON.parse(Buffer.from(json.token.split('.')[1], 'base64url').toString()).iss, ISSUER);
    assert.is(headers['access-control-allow-origin'], app.origin);
    assert.match(String(headers['strict-transport-security']), /^max-age=\d{8}$/);
  }
});

test('each caller has a budget of its own, and no claim about an address gets another', async () => {
  const [one, other] = [from('127.0.2.1'), from('127.0.2.2')];
  const statuses: number[] = [];
  for (let i = 0; i < LIMIT + 2; i++) {
    const claims = { 'x-forwarded-for': `198.51.100.${i}`, 'x-real-ip': `198.51.100.${i}` };
    statuses.push((await one('POST', '/v1/challenges', undefined, claims)).status);
  }
  assert.equal(statuses, [...Array(LIMIT).fill(200), 429, 429]);
  assert.is((await other('POST', '/v1/challenges')).status, 200);
});

test('a body that is too large is refused by the service itself, which names the limit', async () => {
  const ask = from('127.0.3.1');
  for (const size of [300_000, 3_000_000]) {
    const refused = await ask('POST', '/v1/enroll', { filler: 'x'.repeat(size) });
    assert.is(refused.status, 413, String(size));
    assert.match(refused.json.error.message, /262,?144|256 KB/);
  }
});

test('the portal is not to be seen, and plain HTTP leads to TLS', async () => {
  const ask = from('127.0.4.1');
  for (const path of ['/metrics', '/try', '/internal/apps'])
    assert.is((await ask('GET', path)).status, 404, path);
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
