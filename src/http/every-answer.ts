/**
 * What the API and the portal do for every request: give it an id, set common headers, and log answers that got lost.
 */
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { inRequest } from './request-scope.ts';

/** Gives the request its id and sets the headers of every answer. A route may replace the `no-store`. */
export function everyAnswer(nextRequestId: () => string): Middleware {
  return (ctx, next) => {
    ctx.state.requestId = nextRequestId();
    ctx.set('X-Request-Id', ctx.state.requestId);
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Cache-Control', 'no-store');
    return inRequest(ctx.state.requestId, next);
  };
}

/** Logs answers that could not be delivered, with the error code only. */
export function logLostAnswers(app: Koa, log: Logger): void {
  app.on('error', (error, ctx?: Context) =>
    log.error(
      { requestId: ctx?.state.requestId, cause: String(error?.code ?? error?.name) },
      'answer could not be sent',
    ),
  );
}
