/** The portal is opened as http://localhost: it answers on 127.0.0.1 and ::1, and nobody else may listen there. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:net';
import * as assert from 'uvu/assert';
import { portalHosts, portalUrlOf } from '../../src/service/listening.ts';
import { freePort } from '../support/free-port.ts';
import { assertRefused, cli, logLines, madeDataDir, newDataDir, serve } from '../support/process.ts';
import { suite } from '../support/suite.ts';

const test = suite('cli: the portal’s address');

async function holding(host: string, port: number): Promise<Server> {
  const server = createServer(socket => socket.destroy()).listen({ host, port });
  await once(server, 'listening');
  return server;
}

const release = (server: Server) => new Promise(done => server.close(done));

/** Without ::1 on this machine there is nothing to guard. */
const HAS_IPV6 = await holding('::1', 0).then(
  server => release(server).then(() => true),
  () => false,
);

async function status(url: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test('it is announced as localhost, and answers on both addresses', async () => {
  const server = await serve({ DATA_DIR: await madeDataDir() });
  const { port } = new URL(server.portal);
  assert.is(server.portal, `http://localhost:${port}`);
  assert.match(server.printed.stderr, new RegExp(`^ +Portal +http://localhost:${port} `, 'm'));
  for (const host of HAS_IPV6 ? ['127.0.0.1', '[::1]', 'localhost'] : ['127.0.0.1', 'localhost'])
    assert.is(await status(`http://${host}:${port}/health`), 200, host);
  await server.stop();
});

for (const host of HAS_IPV6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'])
  test(`${host} taken by another program: refused in one line, before and after the first start`, async () => {
    const port = await freePort();
    const other = await holding(host, port);
    const first = newDataDir();
    for (const DATA_DIR of [first, await madeDataDir()]) {
      const ran = await cli(['serve'], { DATA_DIR, PORTAL_PORT: String(port) });
      assert.not.ok(logLines(ran.stdout).some(({ msg }) => msg === 'listening'));
      const line = /cannot listen on (?:127\.0\.0\.1|\[::1\]):\d+: it is in use .*; set PORTAL_PORT /;
      assertRefused({ ...ran, stdout: '' }, 1, line);
    }
    assert.not.ok(existsSync(first), 'nothing was made');
    await release(other);
  });

test('PORTAL_URL is announced, its host is accepted, and its origin', async () => {
  const url = 'https://portal.example';
  const METRICS_TOKEN = 'scrape-5f0c1d2e3b4a';
  const PORTAL_PORT = String(await freePort());
  const server = await serve({ DATA_DIR: await madeDataDir(), PORTAL_URL: url, PORTAL_PORT, METRICS_TOKEN });
  assert.is(server.portal, url);
  const [listening] = logLines(server.printed.stdout).filter(({ msg }) => msg === 'listening');
  assert.is(listening?.portal, url);
  const health = `http://127.0.0.1:${PORTAL_PORT}/health`;
  // Behind TLS, /health is for readers only (test/portal/readers.test.ts).
  const Authorization = `Bearer ${METRICS_TOKEN}`;
  for (const [headers, wanted] of [
    [{ Host: 'portal.example' }, 200],
    [{ Host: 'portal.example', Origin: url }, 200],
    [{ Host: 'portal.example', Origin: 'http://portal.example' }, 403],
    [{ Host: 'evil.example' }, 403],
    [{ Host: 'portal.example.evil.example' }, 403],
  ] as const)
    assert.is(await status(health, { ...headers, Authorization }), wanted, JSON.stringify(headers));
  await server.stop();
});

test('where the portal listens, and what it is called', () => {
  for (const host of ['127.0.0.1', 'localhost']) {
    assert.equal(portalHosts(host), ['127.0.0.1', '::1']);
    assert.is(portalUrlOf({ portalUrl: null, portalHost: host }, 8081), 'http://localhost:8081');
  }
  for (const host of ['::1', '127.0.0.2', '0.0.0.0', '192.0.2.1']) assert.equal(portalHosts(host), [host]);
  assert.is(portalUrlOf({ portalUrl: null, portalHost: '::1' }, 8081), 'http://localhost:8081');
  assert.is(portalUrlOf({ portalUrl: null, portalHost: '127.0.0.2' }, 8081), 'http://127.0.0.2:8081');
  const portalUrl = 'https://portal.example';
  assert.is(portalUrlOf({ portalUrl, portalHost: '0.0.0.0' }, 8081), portalUrl);
});

test.run();
