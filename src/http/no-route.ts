/** Refuses requests that no route of a router answers: an unknown path, or a path with other methods. */
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { Refusal } from '../domain/refusal.ts';

export function noRoute(router: Router): Middleware {
  return ctx => {
    const allowed = new Set(router.match(ctx.path, ctx.method).path.flatMap(layer => layer.methods));
    if (allowed.size === 0) throw new Refusal('not_found', 'There is no such route.');
    const allow = [...allowed].sort().join(', ');
    throw new Refusal('method_not_allowed', `This route answers ${allow}.`, { allow });
  };
}
