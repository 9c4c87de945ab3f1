/**
 * What answers on the operators' address: a page that tells how the service is and what to do next, the state of the
 * galleries at `/health`, the figures of `/metrics`, and `/try`. They name no key or person. Requests whose Host is not
 * this address are refused, so that a web page somewhere cannot reach it by a name that resolves to this machine.
 */
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { readText } from '../assets.ts';
import type { Deps } from '../domain/deps.ts';
import { Refusal } from '../domain/refusal.ts';
import { answerErrors } from '../http/errors.ts';
import { everyAnswer, logLostAnswers } from '../http/every-answer.ts';
import { healthOf } from '../http/handlers/health.ts';
import { CLI } from '../typed.ts';
import { VERSION } from '../version.ts';
import { healthDetail } from './health.ts';
import { createMetrics, type MetricSources } from './metrics.ts';
import type { GuestKeys } from './try/guest-keys.ts';
import { addTry } from './try/routes.ts';

const PAGE = readText('src/portal/page.html');
const CSP =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export interface PortalOptions {
  readonly deps: Deps;
  readonly log: Logger;
  readonly host: string;
  readonly nextRequestId: () => string;
  readonly metrics: MetricSources;
  readonly guests: GuestKeys;
}

export function createPortal({ deps, log, host, nextRequestId, metrics, guests }: PortalOptions): Koa {
  const app = new Koa();
  logLostAnswers(app, log);
  const names = new Set([host, 'localhost', '127.0.0.1', '[::1]']);

  app.use(everyAnswer(nextRequestId));
  app.use(answerErrors(log));
  app.use(async (ctx, next) => {
    const origin = ctx.get('Origin');
    if (!names.has(ctx.host.replace(/:\d+$/, '')) || (origin !== '' && origin !== `http://${ctx.host}`)) {
      throw new Refusal('origin_not_allowed', 'This address answers operators only, by its own name.');
    }
    await next();
  });

  const registry = createMetrics(metrics);
  const router = new Router({ strict: true, sensitive: true });
  router.get('/', async ctx => {
    const up = (await healthOf(deps.store)).status === 200;
    ctx.set('Content-Security-Policy', CSP);
    ctx.type = 'html';
    ctx.body = fill(PAGE, {
      version: VERSION,
      cli: CLI,
      state: up ? 'up' : 'down',
      database: up ? 'The database answers.' : 'The database does not answer: look into the log.',
      api: deps.settings.baseUrl,
      try: guests.isOn ? 'on' : 'off',
    });
  });
  router.get('/health', async ctx => {
    const { status, body } = await healthDetail(deps);
    ctx.status = status;
    ctx.body = body;
  });
  router.get('/metrics', async ctx => {
    ctx.set('Content-Type', registry.contentType);
    ctx.body = await registry.metrics();
  });
  addTry(router, { deps, guests });
  app.use(router.routes());
  app.use(() => {
    throw new Refusal('not_found', 'There is no such page.');
  });
  return app;
}

function fill(page: string, values: Record<string, string>): string {
  return page.replace(/\{\{(\w+)\}\}/g, (_, name) => escapeHtml(values[name] ?? ''));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
