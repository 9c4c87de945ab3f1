/**
 * The internal API, below `/internal` on the operators' address: what the portal's pages are made of. It sends no CORS
 * headers, so no other page can read it. Held by test/portal/internal.
 */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { Refusal } from '../../domain/refusal.ts';
import { hasBody, requireJson } from '../../http/body.ts';
import { clientOf } from '../../http/client-address.ts';
import { noRoute } from '../../http/errors.ts';
import { OPERATIONS } from '../../operations/index.ts';
import type { OperationDeps } from '../../operations/table/deps.ts';
import { recordTurnedAway } from '../../operations/table/recording.ts';
import { portalAnswered } from './errors.ts';
import { internalPipeline } from './pipeline.ts';

const BASE = '/internal';

/** Passes on what is not below `/internal`. */
export function internalApi(deps: OperationDeps, log: Logger): Middleware {
  const router = new Router({ strict: true, sensitive: true });
  for (const one of OPERATIONS)
    router.register(`${BASE}${one.path}`, [one.method], internalPipeline(deps, one, log));

  const inside = router.routes() as Middleware;
  const refuse = noRoute(router);

  return async (ctx, next) => {
    if (ctx.path !== BASE && !ctx.path.startsWith(`${BASE}/`)) return next();
    await enter(deps, ctx);
    await inside(ctx, async () => refuse(ctx, next));
  };
}

async function enter(deps: OperationDeps, ctx: Context): Promise<void> {
  try {
    passGate(ctx, deps.portal.url); // 1
  } catch (thrown) {
    const { code, status } = portalAnswered(thrown);
    if (status === 403) await recordTurnedAway(deps, clientOf(ctx), code);
    throw thrown;
  }
}

/**
 * What every request below `/internal` has to be, before anything else of it is looked at: addressed to PORTAL_URL, and
 * sent by a page of PORTAL_URL if a page sent it. Other hosts' pages cannot reach the portal by a name that resolves to
 * this machine, and pages on other ports of localhost cannot use its cookies.
 * Held by test/portal/internal/refused.test.ts.
 * @param url PORTAL_URL @throws Refusal origin_not_allowed, unsupported_media_type
 */
function passGate(ctx: Context, url: string): void {
  const { host, origin, 'sec-fetch-site': site } = ctx.req.headers;
  if (!isHostOf(url, host))
    throw new Refusal('origin_not_allowed', `Open the portal at its own address: ${url}`);
  if (origin !== undefined && origin !== url)
    throw new Refusal('origin_not_allowed', `Only pages of ${url} may send this request.`);
  if (site !== undefined && site !== 'same-origin')
    throw new Refusal('origin_not_allowed', `Only pages of ${url} may send this request.`);
  if (hasBody(ctx)) requireJson(ctx);
}

/** @param url PORTAL_URL, an origin; empty until the portal listens */
export function isHostOf(url: string, host: string | undefined): boolean {
  return url !== '' && host === url.slice(url.indexOf('//') + 2);
}
