/** The plugin and the hook for Fastify, whose own types have to take them as they are. */
import fastify, { type FastifyRequest } from 'fastify';
import * as assert from 'uvu/assert';
import { faceSignIn, faceSignInHook, type WithFaceSignIn } from '../../src/sdk/server/fastify.ts';
import type { VerifiedClaims } from '../../src/sdk/server/index.ts';
import { suite } from '../support/suite.ts';
import { client, testApps } from './server-apps.ts';

const test = suite('server SDK: Fastify');
const claims = { sub: 'usr_1' } as VerifiedClaims;
const verifier = { verify: async () => claims };
const whose = (request: FastifyRequest) => (request as WithFaceSignIn<FastifyRequest>).faceSignIn;

testApps(test, async (of, options) => {
  const app = fastify();
  await app.register(faceSignIn, { verifier: of, ...options });
  app.get('/me', async request => ({ sub: whose(request)?.sub ?? null }));
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  return client(base, () => app.close());
});

test('the plugin guards the scope that it is registered in, and no other', async () => {
  const app = fastify();
  app.get('/open', async () => 'open');
  await app.register(async scope => {
    await scope.register(faceSignIn, { verifier, logLevel: 'warn' });
    scope.get('/me', async request => whose(request));
  });
  assert.is((await app.inject('/open')).body, 'open');
  assert.is((await app.inject('/me')).statusCode, 401);
  const headers = { authorization: 'Bearer x' };
  assert.equal((await app.inject({ url: '/me', headers })).json(), claims);
  await app.close();
});

test('a scope inside of a guarded one may be stricter', async () => {
  const app = fastify();
  await app.register(faceSignIn, { verifier, optional: true });
  app.get('/open', async request => ({ sub: whose(request)?.sub ?? null }));
  await app.register(async scope => {
    await scope.register(faceSignIn, { verifier });
    scope.get('/me', async request => whose(request));
  });
  assert.equal((await app.inject('/open')).json(), { sub: null });
  assert.is((await app.inject('/me')).statusCode, 401);
  const headers = { authorization: 'Bearer x' };
  assert.equal((await app.inject({ url: '/me', headers })).json(), claims);
  await app.close();
});

test('the hook guards a single route, before its body is read and after', async () => {
  const app = fastify();
  for (const when of ['onRequest', 'preHandler'] as const)
    app.post(`/${when}`, { [when]: faceSignInHook(verifier) }, async request => whose(request));
  app.get('/open', async () => 'open');
  for (const url of ['/onRequest', '/preHandler']) {
    assert.is((await app.inject({ method: 'POST', url })).statusCode, 401);
    const answer = await app.inject({
      method: 'POST',
      url,
      headers: { authorization: 'Bearer x' },
      payload: {},
    });
    assert.equal(answer.json(), claims);
  }
  assert.is((await app.inject('/open')).body, 'open');
  await app.close();
});

test('a wrong option stops the start', async () => {
  const app = fastify();
  const registering = app.register(faceSignIn, { verifier, cookies: 'x' } as never).ready();
  const error = (await Promise.resolve(registering).catch(thrown => thrown)) as Error;
  assert.match(error.message, /no option "cookies"/);
});

test.run();
