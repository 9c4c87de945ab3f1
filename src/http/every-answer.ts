/** What the API and the portal do alike around every request: its name, the headers of its answer, and lost answers. */
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { inRequest } from './request-scope.ts';

/** Names the request, and sets what every answer carries; a route may replace the `no-store`. */
export function everyAnswer(nextRequestId: () => string): Middleware {
  return (ctx, next) => {
    ctx.state.requestId = nextRequestId();
    ctx.set('X-Request-Id', ctx.state.requestId);
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Cache-Control', 'no-store');
    return inRequest(ctx.state.requestId, next);
  };
}

/** Logs answers that did not reach their caller, by the kind of error alone. */
export function logLostAnswers(app: Koa, log: Logger): void {
  app.on('error', (error, ctx?: Context) =>
    log.error(
      { requestId: ctx?.state.requestId, cause: String(error?.code ?? error?.name) },
      'answer could not be sent',
    ),
  );
}
