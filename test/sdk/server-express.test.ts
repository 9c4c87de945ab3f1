/** The middleware for Express, whose own types have to take it as it is. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import * as assert from 'uvu/assert';
import { faceSignIn } from '../../src/sdk/server/express.ts';
import type { VerifiedClaims } from '../../src/sdk/server/index.ts';
import { closing } from '../support/closing.ts';
import { suite } from '../support/suite.ts';
import { client, testApps } from './server-apps.ts';

const test = suite('server SDK: Express');

async function listening(app: (...of: Parameters<ReturnType<typeof express>>) => unknown) {
  const server = createServer(app as ReturnType<typeof express>);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return client(`http://127.0.0.1:${port}`, async () => {
    server.close();
    server.closeAllConnections();
  });
}

testApps(test, async (verifier, options) => {
  const app = express().set('env', 'test');
  app.get('/me', faceSignIn(verifier, options), (req, res) => {
    res.json({ sub: req.faceSignIn?.sub ?? null });
  });
  return listening(app);
});

test('for all routes of a router, and none before it', async () => {
  const claims = { sub: 'usr_1' } as VerifiedClaims;
  const app = express();
  app.get('/open', (_, res) => void res.json({}));
  app.use(faceSignIn({ verify: async () => claims }));
  app.get('/me', (req, res) => void res.json(req.faceSignIn));
  await using served = closing(await listening(app));
  assert.is((await served.ask({})).status, 401);
  assert.equal(await (await served.ask({ authorization: 'Bearer x' })).json(), claims);
});

test('without Express, by Node alone', async () => {
  const middleware = faceSignIn({ verify: async () => ({ sub: 'usr_1' }) as VerifiedClaims });
  const server = createServer((req, res) => middleware(req, res, () => res.end('in')));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    assert.is((await fetch(base)).status, 401);
    assert.is(await (await fetch(base, { headers: { authorization: 'Bearer x' } })).text(), 'in');
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test.run();
