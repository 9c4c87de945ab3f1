/**
 * The server on the operators' address: a status page, `/health` with everything that needs an operator, `/metrics` and
 * `/docs`, which show no key, name apps and users by their ids only, and need a session where others reach the portal;
 * `/try`; and the web app, whose page anyone may load. Requests with another Host are refused, so that a web page
 * elsewhere cannot reach this address by a name that resolves to this machine. Held by test/portal/rules.test.ts.
 */
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { Refusal } from '../domain/refusal.ts';
import { healthAnswer } from '../health/answer.ts';
import { answerErrors } from '../http/errors.ts';
import { everyAnswer, logLostAnswers } from '../http/every-answer.ts';
import { decodable, smallHead } from '../http/well-formed.ts';
import type { OperationDeps } from '../operations/table/deps.ts';
import { addDocs } from './docs/routes.ts';
import { frontPage } from './page.ts';
import { mayRead, type Reading, requireReader } from './readers.ts';
import { cookieValues } from './server/cookies.ts';
import { portalError } from './server/errors.ts';
import { internalApi, isHostOf } from './server/internal.ts';
import { pageHeaders } from './server/policy.ts';
import { addStatic } from './server/static.ts';
import type { GuestKeys } from './try/guest-keys.ts';
import { addTry } from './try/routes.ts';

export interface PortalOptions {
  readonly deps: OperationDeps;
  readonly log: Logger;
  readonly host: string;
  /** Number of trusted proxies in front. */
  readonly trustProxy: number;
  readonly nextRequestId: () => string;
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
  readonly guests: GuestKeys;
  readonly reading: Reading;
}

export function createPortal({
  deps,
  log,
  host,
  trustProxy,
  nextRequestId,
  metrics,
  guests,
  reading,
}: PortalOptions): Koa {
  const app = new Koa({ proxy: trustProxy > 0, maxIpsCount: trustProxy });
  logLostAnswers(app, log);
  const names = new Set([host, 'localhost', '127.0.0.1', '[::1]']);
  const { condition, portal: at } = deps;

  app.use(everyAnswer(nextRequestId));
  app.use(answerErrors(log, portalError));
  app.use(smallHead);
  app.use(decodable);
  app.use(internalApi(deps, log));
  app.use(async (ctx, next) => {
    const { host: asked = '', origin } = ctx.req.headers;
    const isOwn = isHostOf(at.url, asked);
    const own = isOwn ? at.url : `http://${asked}`;
    if (!(isOwn || names.has(asked.replace(/:\d+$/, ''))) || (origin !== undefined && origin !== own)) {
      throw new Refusal('origin_not_allowed', 'This address is for operators only. Use its own host name.');
    }
    await next();
  });

  const router = new Router({ strict: true, sensitive: true });
  router.get('/', async ctx => {
    // A browser with a session goes on to its apps, unless it asks for the status.
    const hasSession = cookieValues(ctx, at.url, 'session').length > 0;
    if (ctx.querystring === '' && hasSession) return ctx.redirect('/apps');
    if (!(await mayRead(deps, reading, ctx))) return ctx.redirect('/sign-in');
    pageHeaders(ctx);
    ctx.type = 'html';
    ctx.body = frontPage(await condition(), {
      api: deps.settings.baseUrl,
      portal: at,
      hasTry: guests.isOn,
    });
  });
  router.get(['/health', '/metrics', '/docs', '/docs/{*file}'], requireReader(deps, reading));
  router.get('/health', async ctx => {
    const { status, body } = healthAnswer(await condition());
    ctx.status = status;
    ctx.body = body;
  });
  router.get('/metrics', async ctx => {
    ctx.set('Content-Type', metrics.contentType);
    ctx.body = await metrics.text();
  });
  addDocs(router, deps.settings);
  addStatic(router, { settings: deps.settings, portal: deps.portal, hasTry: guests.isOn });
  addTry(router, { deps, guests });
  app.use(router.routes());
  app.use(() => {
    throw new Refusal('not_found', 'There is no such page.');
  });
  return app;
}
