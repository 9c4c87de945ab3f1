/** The Koa application of the public API: its middleware and its routes. */
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Deps } from '../domain/deps.ts';
import { cors } from './cors.ts';
import { answerErrors } from './errors.ts';
import { everyAnswer, logLostAnswers } from './every-answer.ts';
import { noRoute } from './no-route.ts';
import { pipeline } from './pipeline.ts';
import { type RequestWatch, watchRequests } from './request-watch.ts';
import { rightClock } from './right-clock.ts';
import { ROUTES } from './routes.ts';
import { SDK_FILES, sdkFiles } from './sdk-files.ts';
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
