/**
 * The server on the operators' address: a status page, `/health` with everything that needs an operator, `/metrics`,
 * `/docs` and `/try`, which show no key and no person; and the web app, whose page anyone may load. Requests with
 * another Host are refused, so that a web page elsewhere cannot reach this address by a name that resolves to this
 * machine. Held by test/portal/rules.test.ts.
 */
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { PORTAL_COOKIE } from '../brand.ts';
import type { Deps } from '../domain/deps.ts';
import { Refusal } from '../domain/refusal.ts';
import { answerErrors } from '../http/errors.ts';
import { everyAnswer, logLostAnswers } from '../http/every-answer.ts';
import { addDocs } from './docs/routes.ts';
import { healthAnswer } from './health/answer.ts';
import type { Condition } from './health/condition.ts';
import { frontPage } from './page.ts';
import { pageHeaders } from './server/policy.ts';
import { addStatic } from './server/static.ts';
import type { GuestKeys } from './try/guest-keys.ts';
import { addTry } from './try/routes.ts';

export interface PortalOptions {
  readonly deps: Deps;
  readonly log: Logger;
  readonly host: string;
  readonly nextRequestId: () => string;
  readonly condition: () => Promise<Condition>;
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
  readonly guests: GuestKeys;
}

export function createPortal({
  deps,
  log,
  host,
  nextRequestId,
  condition,
  metrics,
  guests,
}: PortalOptions): Koa {
  const app = new Koa();
  logLostAnswers(app, log);
  const names = new Set([host, 'localhost', '127.0.0.1', '[::1]']);

  app.use(everyAnswer(nextRequestId));
  app.use(answerErrors(log));
  app.use(async (ctx, next) => {
    const origin = ctx.get('Origin');
    if (!names.has(ctx.host.replace(/:\d+$/, '')) || (origin !== '' && origin !== `http://${ctx.host}`)) {
      throw new Refusal('origin_not_allowed', 'This address is for operators only. Use its own host name.');
    }
    await next();
  });

  const router = new Router({ strict: true, sensitive: true });
  router.get('/', async ctx => {
    // A browser with a session goes on to its apps, unless it asks for the status.
    if (ctx.querystring === '' && ctx.cookies.get(PORTAL_COOKIE) !== undefined) return ctx.redirect('/apps');
    pageHeaders(ctx);
    ctx.type = 'html';
    ctx.body = frontPage(await condition(), { api: deps.settings.baseUrl, hasTry: guests.isOn });
  });
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
  addStatic(router, { settings: deps.settings, hasTry: guests.isOn });
  addTry(router, { deps, guests });
  app.use(router.routes());
  app.use(() => {
    throw new Refusal('not_found', 'There is no such page.');
  });
  return app;
}
