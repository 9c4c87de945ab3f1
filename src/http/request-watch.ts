/**
 * What is told of every request: a line in the log, and to whoever counts. Of the path only the route's pattern is told,
 * never what the caller has written; no address and no header. Held by test/http/log-lines.test.ts and logs.test.ts.
 */
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { ErrorCode } from '../protocol/errors.ts';

/** Who counts requests. Called on the way of every one of them: it must be quick, and throw nothing. */
export interface RequestWatch {
  began(): void;
  /** @param route its pattern; null for a path, or a method of one, that there is not. @param code of the refusal, if it was one */
  ended(method: string, route: string | null, status: number, code: ErrorCode | null, seconds: number): void;
  /** Something came that was no HTTP, and was refused on the bare socket. */
  unreadable(code: ErrorCode): void;
}

const MS = 1_000;

export function watchRequests(log: Logger, watch: RequestWatch): Middleware {
  return async (ctx, next) => {
    const began = performance.now();
    watch.began();
    try {
      await next();
    } finally {
      const ms = performance.now() - began;
      const { requestId, code = null, app, mode } = ctx.state as RequestState;
      const { method, status } = ctx;
      const route = routeOf(ctx);
      watch.ended(method, route, status, code, ms / MS);
      const line = { requestId, method, route, status, ms: Math.round(ms * 100) / 100, app, mode };
      log.info(code === null ? line : { ...line, code }, 'request');
    }
  };
}

/** What the layers below leave in `ctx.state`. */
interface RequestState {
  readonly requestId: string;
  readonly code?: ErrorCode;
  /** Once the credential has told. */
  readonly app?: string;
  readonly mode?: string;
}

function routeOf(ctx: Context): string | null {
  const matched: unknown = ctx._matchedRoute;
  return typeof matched === 'string' ? matched : null;
}
