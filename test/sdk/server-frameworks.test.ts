/** The middlewares of the server SDK, each in a small app of its framework over real HTTP: what all do, and what only one does. */
import express from 'express';
import fastify, { type FastifyRequest } from 'fastify';
import Koa from 'koa';
import * as assert from 'uvu/assert';
import { faceSignIn as onExpress } from '../../src/sdk/server/express.ts';
import {
  faceSignInHook,
  faceSignIn as onFastify,
  type WithFaceSignIn,
} from '../../src/sdk/server/fastify.ts';
import type { GuardOptions } from '../../src/sdk/server/guard.ts';
import type { VerifiedClaims, Verifier } from '../../src/sdk/server/index.ts';
import { faceSignIn as onKoa } from '../../src/sdk/server/koa.ts';
import { withFaceSignIn } from '../../src/sdk/server/web.ts';
import { decoded, enrolled, faces } from '../support/client.ts';
import { closing } from '../support/closing.ts';
import { listening } from '../support/listening.ts';
import { appFor, serviceFor } from '../support/service.ts';
import { suite } from '../support/suite.ts';
import { countedFetch, down, foreign, verifierOf } from './server-support.ts';

const test = suite('server SDK: middlewares');
const run = serviceFor(test);
const app = appFor(test, run);
/** Of four people. */
const tokens: string[] = [];
test.before(async () => {
  for (let person = 0; person < 4; person++)
    tokens.push((await enrolled(run, app, { descriptors: [faces.genuine(person)] })).token);
});

const claims = { sub: 'usr_1' } as VerifiedClaims;
const anybody = { verify: async () => claims };
const BEARER = { authorization: 'Bearer x' };
const whose = (request: FastifyRequest) => (request as WithFaceSignIn<FastifyRequest>).faceSignIn;

interface Served {
  ask(headers: Record<string, string>): Promise<Response>;
  close(): Promise<unknown>;
}
/** Speaks to a server that listens. */
const client = (base: string, close: () => Promise<unknown>): Served => ({
  ask: headers => fetch(`${base}/me`, { headers }),
  close,
});
async function served(handle: Parameters<typeof listening>[0]): Promise<Served> {
  const { base, close } = await listening(handle);
  return client(base, close);
}

/**
 * Apps with one route, `/me`, behind the middleware: it answers `{sub}` of the claims, null for nobody. That nothing
 * behind the middleware runs after a refusal shows in the answer.
 */
const FRAMEWORKS: Record<string, (verifier: Verifier, options?: GuardOptions) => Promise<Served>> = {
  Express(verifier, options) {
    const app = express().set('env', 'test');
    app.get('/me', onExpress(verifier, options), (req, res) => {
      res.json({ sub: req.faceSignIn?.sub ?? null });
    });
    return served(app);
  },
  async Fastify(verifier, options) {
    const app = fastify();
    await app.register(onFastify, { verifier, ...options });
    app.get('/me', async request => ({ sub: whose(request)?.sub ?? null }));
    return client(await app.listen({ port: 0, host: '127.0.0.1' }), () => app.close());
  },
  Koa(verifier, options) {
    const app = new Koa();
    app.silent = true;
    app.use(onKoa(verifier, options));
    app.use(ctx => {
      ctx.body = { sub: ctx.state.faceSignIn?.sub ?? null };
    });
    return served(app.callback());
  },
  async 'a web-standard handler'(verifier, options = {}) {
    const answer = (_: Request, who: VerifiedClaims | null) => Response.json({ sub: who?.sub ?? null });
    const handler = withFaceSignIn(verifier, answer, options);
    return {
      ask: async headers =>
        handler(new Request('http://app.example/me', { headers })).catch(
          () => new Response(null, { status: 500 }),
        ),
      close: async () => undefined,
    };
  },
};
const AT_ONCE = 200;

async function assertRefused(response: Response, status: number, code: string): Promise<void> {
  assert.is(response.status, status);
  assert.match(String(response.headers.get('content-type')), /^application\/json\b/);
  assert.is(response.headers.get('cache-control'), 'no-store');
  assert.equal(Object.keys(await response.clone().json()), ['error']);
  assert.is((await response.json()).error.code, code);
  if (status === 401) assert.match(String(response.headers.get('www-authenticate')), /^Bearer\b/);
  if (status === 503) assert.match(String(response.headers.get('retry-after')), /^\d+$/);
}

for (const [framework, serve] of Object.entries(FRAMEWORKS)) {
  async function through(
    verifier: Verifier,
    options: GuardOptions | undefined,
    work: (ask: (token?: string) => Promise<Response>, served: Served) => Promise<void>,
  ): Promise<void> {
    await using served = closing(await serve(verifier, options));
    await work(token => served.ask(token === undefined ? {} : { authorization: `Bearer ${token}` }), served);
  }

  test(`${framework}: a good token passes with its claims; none, and a bad one, are refused`, async () => {
    const [token = ''] = tokens;
    await through(verifierOf(run, app), undefined, async ask => {
      const good = await ask(token);
      assert.equal([good.status, await good.json()], [200, { sub: decoded(token).claims.sub }]);
      for (const bad of [undefined, 'nonsense', await foreign(token, decoded(token).header.kid)])
        await assertRefused(await ask(bad), 401, 'unauthorized');
    });
  });

  test(`${framework}: an outage is 503, and its cause goes to onRefused alone`, async () => {
    const counted = countedFetch();
    counted.instead = down;
    const reported: string[] = [];
    const verifier = verifierOf(run, app, 'live', { fetch: counted.fetch, timeoutMs: 200 });
    await through(verifier, { onRefused: ({ code }) => void reported.push(code) }, async ask => {
      const response = await ask(tokens[0]);
      assert.not.match(await response.clone().text(), /fetch|keys/);
      await assertRefused(response, 503, 'service_unavailable');
    });
    assert.equal(reported, ['keys_unavailable']);
  });

  test(`${framework}: a cookie passes where it is asked for, and only there`, async () => {
    await through(verifierOf(run, app), { cookie: 'session' }, async (_, served) =>
      assert.is((await served.ask({ cookie: `a=b; session=${tokens[0]}` })).status, 200),
    );
    await through(verifierOf(run, app), undefined, async (_, served) =>
      assertRefused(await served.ask({ cookie: `session=${tokens[0]}` }), 401, 'unauthorized'),
    );
  });

  test(`${framework}: ${AT_ONCE} requests at once of four people and of nobody: all get what is theirs`, async () => {
    const counted = countedFetch();
    await through(verifierOf(run, app, 'live', { fetch: counted.fetch }), { optional: true }, async ask => {
      const right = await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, n) => {
          const token = tokens[n % 5];
          const { sub } = (await (await ask(token)).json()) as { sub: string | null };
          return sub === (token ? decoded(token).claims.sub : null);
        }),
      );
      assert.equal(new Set(right), new Set([true]));
    });
    assert.is(Object.values(counted.asked).join(), '1', 'one fetch of the keys');
  });
}

test('Express: for all routes of a router, and none before it', async () => {
  const app = express();
  app.get('/open', (_, res) => void res.json({}));
  app.use(onExpress(anybody));
  app.get('/me', (req, res) => void res.json(req.faceSignIn));
  await using router = await listening(app);
  assert.is((await fetch(`${router.base}/open`)).status, 200);
  assert.is((await fetch(`${router.base}/me`)).status, 401);
  assert.equal(await (await fetch(`${router.base}/me`, { headers: BEARER })).json(), claims);
});

test('without Express, by Node alone', async () => {
  const middleware = onExpress(anybody);
  await using server = await listening((req, res) => middleware(req, res, () => res.end('in')));
  assert.is((await fetch(server.base)).status, 401);
  assert.is(await (await fetch(server.base, { headers: BEARER })).text(), 'in');
});

test('Fastify: the plugin guards the scope that it is registered in, and no other', async () => {
  const app = fastify();
  app.get('/open', async () => 'open');
  await app.register(async scope => {
    await scope.register(onFastify, { verifier: anybody, logLevel: 'warn' });
    scope.get('/me', async request => whose(request));
  });
  assert.is((await app.inject('/open')).body, 'open');
  assert.is((await app.inject('/me')).statusCode, 401);
  assert.equal((await app.inject({ url: '/me', headers: BEARER })).json(), claims);
  await app.close();
});

test('Fastify: a scope inside of a guarded one may be stricter', async () => {
  const app = fastify();
  await app.register(onFastify, { verifier: anybody, optional: true });
  app.get('/open', async request => ({ sub: whose(request)?.sub ?? null }));
  await app.register(async scope => {
    await scope.register(onFastify, { verifier: anybody });
    scope.get('/me', async request => whose(request));
  });
  assert.equal((await app.inject('/open')).json(), { sub: null });
  assert.is((await app.inject('/me')).statusCode, 401);
  assert.equal((await app.inject({ url: '/me', headers: BEARER })).json(), claims);
  await app.close();
});

test('Fastify: the hook guards a single route, before its body is read and after', async () => {
  const app = fastify();
  for (const when of ['onRequest', 'preHandler'] as const)
    app.post(`/${when}`, { [when]: faceSignInHook(anybody) }, async request => whose(request));
  app.get('/open', async () => 'open');
  for (const url of ['/onRequest', '/preHandler']) {
    assert.is((await app.inject({ method: 'POST', url })).statusCode, 401);
    const answer = await app.inject({ method: 'POST', url, headers: BEARER, payload: {} });
    assert.equal(answer.json(), claims);
  }
  assert.is((await app.inject('/open')).body, 'open');
  await app.close();
});

test('Fastify: a wrong option stops the start', async () => {
  const app = fastify();
  const registering = app.register(onFastify, { verifier: anybody, cookies: 'x' } as never).ready();
  const error = (await Promise.resolve(registering).catch(thrown => thrown)) as Error;
  assert.match(error.message, /no option "cookies"/);
});

test('a web-standard handler gets what its caller gave besides, and its answer is given on as it is', async () => {
  const answer = new Response('x', { status: 418 });
  const seen: unknown[] = [];
  const handler = withFaceSignIn(
    anybody,
    (request: Request, { sub }: VerifiedClaims, context: { env: string }, n: number) => {
      seen.push(request.url, sub, context.env, n);
      return answer;
    },
  );
  const request = new Request('http://app.example/me', { headers: BEARER });
  assert.is(await handler(request, { env: 'e' }, 7), answer);
  assert.equal(seen, ['http://app.example/me', 'usr_1', 'e', 7]);
});

test.run();
