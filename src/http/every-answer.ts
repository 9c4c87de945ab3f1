/**
 * What the API and the portal do for every request: give it an id, set common headers, and log answers that got lost.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Random } from '../ports/system.ts';

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

/**
 * Which request a log line belongs to, for lines written deep below it, such as those about mail delivery or loading a
 * gallery. The id follows the work by itself, so no function in between has to pass it on.
 * Held by test/http/log-lines.test.ts.
 */
const scope = new AsyncLocalStorage<string>();

/** Everything that `work` starts belongs to the request, even what continues after the answer. */
function inRequest<Answer>(requestId: string, work: () => Answer): Answer {
  return scope.run(requestId, work);
}

/** Pino's `mixin` for every log line. A new object each time, because pino writes the fields of the line into it. */
export function requestFields(): { requestId?: string } {
  const requestId = scope.getStore();
  return requestId === undefined ? {} : { requestId };
}

/** Ids that callers cannot choose: a random start, then a counter, without a call for randomness each time. */
export function requestIds(random: Random): () => string {
  const start = random.bytes(9).toString('base64url');
  let count = 0;
  return () => `req_${start}${(count++).toString(36).padStart(6, '0')}`;
}
