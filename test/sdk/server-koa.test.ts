/** The middleware for Koa. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { faceSignIn } from '../../src/sdk/server/koa.ts';
import { suite } from '../support/suite.ts';
import { client, testApps } from './server-apps.ts';

const test = suite('server SDK: Koa');

testApps(test, async (verifier, options) => {
  const app = new Koa();
  app.silent = true;
  app.use(faceSignIn(verifier, options));
  app.use(ctx => {
    ctx.body = { sub: ctx.state.faceSignIn?.sub ?? null };
  });
  const server = createServer(app.callback());
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return client(`http://127.0.0.1:${port}`, async () => {
    server.close();
    server.closeAllConnections();
  });
});

test.run();
