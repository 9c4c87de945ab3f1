/**
 * A small app of one framework behind the SDK's middleware, in a process of its own, which an unhandled rejection would
 * end. The app answers by itself when it is told to, as one with a timeout does; what the verifier says comes later.
 * Started by server-late.test.ts: writes what became of every request as JSON.
 *
 * Use: node server-late-app.ts express|fastify|koa|web
 */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import Koa from 'koa';
import * as onExpress from '../../src/sdk/server/express.ts';
import * as onFastify from '../../src/sdk/server/fastify.ts';
import { VerificationError, type VerifiedClaims } from '../../src/sdk/server/index.ts';
import * as onKoa from '../../src/sdk/server/koa.ts';
import { withFaceSignIn } from '../../src/sdk/server/web.ts';

/** What the verifier comes to. */
const SAYS = ['good', 'bad', 'fault'] as const;
/** What the app does before that: sends an answer, its head alone, nothing; or its client goes. */
const FIRST = ['answers', 'begins', 'waits', 'gone'] as const;
/** What the application's own code behind the middleware, or in `onRefused`, throws. */
const THROWS = ['nothing', 'sync', 'async'] as const;

export interface Outcome {
  readonly says: (typeof SAYS)[number];
  readonly first: (typeof FIRST)[number];
  readonly throws: (typeof THROWS)[number];
  /** Null: the connection ended without an answer. */
  readonly status: number | null;
  readonly body: string;
  /** How often the handler ran, and the errors that reached the place where the framework sends them. */
  readonly handled: number;
  readonly errors: string[];
}

interface Scene {
  says: Outcome['says'];
  first: Outcome['first'];
  throws: Outcome['throws'];
  handled: number;
  errors: string[];
  /** The answer of the request under way, to be ended before its time. */
  response?: ServerResponse;
  asked: PromiseWithResolvers<void>;
  decide: PromiseWithResolvers<void>;
}

let scene: Scene;

const verifier = {
  async verify(): Promise<VerifiedClaims> {
    const { says } = scene;
    scene.asked.resolve();
    await scene.decide.promise;
    if (says === 'bad') throw new VerificationError('signature');
    if (says === 'fault') throw new RangeError('a fault of the verifier');
    return { sub: 'usr_1' } as VerifiedClaims;
  },
};

function misbehave(where: string): unknown {
  if (scene.throws === 'sync') throw new Error(where);
  return scene.throws === 'async' ? Promise.reject(new Error(where)) : undefined;
}

const options = { onRefused: () => misbehave('onRefused') };
const noted = (error: unknown) => scene.errors.push((error as Error).message);

async function handler(): Promise<object> {
  scene.handled++;
  await misbehave('handler');
  return { in: true };
}

const SERVERS: Record<string, () => Promise<(req: IncomingMessage, res: ServerResponse) => unknown>> = {
  async express() {
    const app = express();
    app.use(onExpress.faceSignIn(verifier, options));
    app.get('/', (_, res) => {
      scene.handled++;
      const went = misbehave('handler');
      return went instanceof Promise ? went : void res.json({ in: true });
    });
    app.use((error: Error, _: unknown, res: express.Response, next: (error: Error) => void) => {
      noted(error);
      if (res.headersSent) next(error);
      else res.status(500).json({ error: 'app' });
    });
    return app;
  },
  async koa() {
    const app = new Koa();
    app.on('error', noted);
    app.use((ctx, next) => {
      // What Koa wants of whoever writes the answer without it.
      if (scene.first === 'begins') ctx.respond = false;
      return next();
    });
    app.use(onKoa.faceSignIn(verifier, options));
    app.use(async ctx => {
      ctx.body = await handler();
    });
    return app.callback();
  },
  async fastify() {
    const stream = { write: (line: string) => void (JSON.parse(line).err && noted(JSON.parse(line).err)) };
    const app = fastify({ logger: { level: 'error', stream } });
    await app.register(onFastify.faceSignIn, { verifier, ...options });
    app.get('/', handler);
    await app.ready();
    return (req, res) => app.routing(req, res);
  },
  /** As an adapter of such handlers does: what rejects is answered with 500, unless an answer went out by then. */
  async web() {
    const handle = withFaceSignIn(verifier, async () => Response.json(await handler()), options);
    return async (req, res) => {
      const { authorization = '' } = req.headers;
      const answer = await handle(new Request('http://app.example/', { headers: { authorization } })).catch(
        error => {
          noted(error);
          return Response.json({ error: 'app' }, { status: 500 });
        },
      );
      if (res.headersSent) return;
      res.writeHead(answer.status).end(await answer.text());
    };
  },
};

const kind = process.argv[2] as string;
const listener = await (SERVERS[kind] as (typeof SERVERS)[string])();
const server = createServer((req, res) => {
  scene.response = res;
  return listener(req, res);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;

async function play(says: Scene['says'], first: Outcome['first'], throws: Scene['throws']): Promise<Outcome> {
  scene = {
    says,
    first,
    throws,
    handled: 0,
    errors: [],
    asked: Promise.withResolvers(),
    decide: Promise.withResolvers(),
  };
  const request = get({ port, host: '127.0.0.1', agent: false, headers: { authorization: 'Bearer x.y.z' } });
  const came = answerTo(request);
  await scene.asked.promise;
  const response = scene.response as ServerResponse;
  if (first === 'answers') response.writeHead(504).end('late');
  if (first === 'begins') response.writeHead(200).write('begun');
  if (first === 'gone') {
    const socket = response.socket as Socket;
    request.destroy();
    if (!socket.destroyed) await once(socket, 'close');
  }
  if (first === 'answers') await came;
  scene.decide.resolve();
  await settled();
  if (first === 'begins' && !response.writableEnded) response.end();
  const { status, body } = await came;
  await settled();
  const { handled, errors } = scene;
  return { says, first, throws, status, body, handled, errors };
}

/** Everything that follows without waiting for the network has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(done => setImmediate(done));
}

function answerTo(request: ReturnType<typeof get>): Promise<{ status: number | null; body: string }> {
  return new Promise(resolve => {
    request.on('error', () => resolve({ status: null, body: '' }));
    request.on('response', async response => {
      let body = '';
      try {
        for await (const part of response) body += part;
      } catch {
        body += ' (cut off)';
      }
      resolve({ status: response.statusCode ?? null, body });
    });
  });
}

const outcomes: Outcome[] = [];
for (const says of SAYS)
  for (const first of FIRST) for (const throws of THROWS) outcomes.push(await play(says, first, throws));
server.close();
server.closeAllConnections();
process.stdout.write(JSON.stringify(outcomes));
