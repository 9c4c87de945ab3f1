/** The Koa application of the public API: its middleware, its routes, and the files of the browser SDK. */
import Router from '@koa/router';
import type { Middleware } from 'koa';
import Koa from 'koa';
import type { Logger } from 'pino';
import { servedFiles } from '../built-sdk.ts';
import type { Deps } from '../domain/deps.ts';
import { isFarOff, type ServiceClock } from '../domain/known-time.ts';
import { Refusal, unavailable } from '../domain/refusal.ts';
import { cors } from './cors.ts';
import { answerErrors, noRoute } from './errors.ts';
import { everyAnswer, logLostAnswers } from './every-answer.ts';
import { pipeline } from './pipeline.ts';
import { type RequestWatch, watchRequests } from './request-watch.ts';
import { ROUTES } from './routes.ts';
import { smallHead, wellFormed } from './well-formed.ts';

interface HttpOptions {
  readonly log: Logger;
  /** Number of trusted proxies in front. */
  readonly trustProxy: number;
  readonly nextRequestId: () => string;
  readonly watch: RequestWatch;
}

export function createApp(deps: Deps, { log, trustProxy, nextRequestId, watch }: HttpOptions): Koa {
  const app = new Koa({ proxy: trustProxy > 0, maxIpsCount: trustProxy });
  logLostAnswers(app, log);
  const router = new Router({ strict: true, sensitive: true });
  for (const route of ROUTES) router.register(route.path, [route.method], pipeline(deps, route));
  router.get(SDK_FILES, sdkFiles());

  app.use(everyAnswer(nextRequestId));
  app.use(watchRequests(log, watch));
  app.use(answerErrors(log));
  app.use(cors(deps.store));
  app.use(smallHead);
  app.use(wellFormed);
  app.use(rightClock(deps.clock));
  app.use(router.routes());
  app.use(noRoute(router));
  return app;
}

/** These answer for themselves, or need no clock. */
const SERVED = new Set(['/health', '/.well-known/jwks.json', '/openapi.json']);
const AGAIN_MS = 10_000;

/**
 * A node whose clock is far from the database's serves only its keys, which need no clock: the other nodes, and whoever
 * verifies its tokens, live by another time. It serves again by itself. Held by test/http/right-clock.test.ts.
 */
export function rightClock(clock: Pick<ServiceClock, 'offBy'>): Middleware {
  return async (ctx, next) => {
    if (isFarOff(clock) && !SERVED.has(ctx.path)) throw unavailable(AGAIN_MS);
    await next();
  };
}

const SDK_FILES = '/sdk/browser/:version/*file';

/**
 * `GET /sdk/browser/VERSION/FILE`: the browser SDK of this version, for pages without a bundler. Anyone may load it
 * from any origin and keep it: a new version has a new path. Only the built files are served, looked up by their whole
 * path, so no path leads to another file. Held by test/http/sdk-files.test.ts.
 */
function sdkFiles(): Middleware {
  // Read at the first request: most services are never asked.
  let files: ReadonlyMap<string, Buffer> | undefined;
  return ctx => {
    files ??= servedFiles();
    const content = files.get(ctx.path);
    if (!content) throw new Refusal('not_found', 'There is no such file in this version of the service.');
    ctx.set({
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    // The same for every page, so that shared caches keep it once. cors.ts has set these for the answers of the API.
    ctx.remove('Vary');
    ctx.remove('Access-Control-Expose-Headers');
    ctx.body = content;
  };
}
