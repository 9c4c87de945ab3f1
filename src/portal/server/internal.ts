/**
 * The internal API, below `/internal` on the operators' address: what the portal's pages are made of. It sends no CORS
 * headers, so no other page can read it. Held by test/portal/internal.
 */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { clientOf } from '../../http/client-address.ts';
import { noRoute } from '../../http/no-route.ts';
import { recordTurnedAway } from './audit.ts';
import type { PortalDeps } from './deps.ts';
import { portalAnswered } from './errors.ts';
import { passGate } from './gate.ts';
import { internalPipeline } from './pipeline.ts';
import { INTERNAL_ROUTES } from './routes.ts';

const BASE = '/internal';

/** Passes on what is not below `/internal`. */
export function internalApi(deps: PortalDeps, log: Logger): Middleware {
  const router = new Router({ strict: true, sensitive: true });
  for (const route of INTERNAL_ROUTES)
    router.register(`${BASE}${route.path}`, [route.method], internalPipeline(deps, route, log));

  const inside = router.routes() as Middleware;
  const refuse = noRoute(router);

  return async (ctx, next) => {
    if (ctx.path !== BASE && !ctx.path.startsWith(`${BASE}/`)) return next();
    await enter(deps, ctx);
    await inside(ctx, async () => refuse(ctx, next));
  };
}

async function enter(deps: PortalDeps, ctx: Context): Promise<void> {
  try {
    passGate(ctx, deps.portal.url); // 1
  } catch (thrown) {
    const { code, status } = portalAnswered(thrown);
    if (status === 403) await recordTurnedAway(deps, clientOf(ctx), code);
    throw thrown;
  }
}
