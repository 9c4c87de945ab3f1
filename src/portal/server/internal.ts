/**
 * The internal API, below `/internal` on the operators' address: what the portal's pages are made of. It sends no CORS
 * headers, so no other page can read it. Held by test/portal/internal.
 */
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { clientOf } from '../../http/client-address.ts';
import { noRoute } from '../../http/no-route.ts';
import { OPERATIONS } from '../../operations/index.ts';
import type { OperationDeps } from '../../operations/table/deps.ts';
import { recordTurnedAway } from '../../operations/table/recording.ts';
import { portalAnswered } from './errors.ts';
import { passGate } from './gate.ts';
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
