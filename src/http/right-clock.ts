/**
 * A node whose clock is far from the database's serves only its keys, which need no clock: the other nodes, and whoever
 * verifies its tokens, live by another time. It serves again by itself. Held by test/http/right-clock.test.ts.
 */
import type { Middleware } from 'koa';
import { isFarOff, type ServiceClock } from '../domain/known-time.ts';
import { Refusal } from '../domain/refusal.ts';

/** These answer for themselves, or need no clock. */
const SERVED = new Set(['/health', '/.well-known/jwks.json', '/openapi.json']);
const AGAIN_MS = 10_000;

export function rightClock(clock: Pick<ServiceClock, 'offBy'>): Middleware {
  return async (ctx, next) => {
    if (isFarOff(clock) && !SERVED.has(ctx.path))
      throw new Refusal('service_unavailable', 'The service cannot answer now. Try again soon.', {
        retryAfter: AGAIN_MS,
      });
    await next();
  };
}
