/**
 * Reports every request: one log line, and one call to the metrics. Both get the pattern of the route, never the path
 * that the caller sent, and no address or header. Held by test/http/log-lines.test.ts and logs.test.ts.
 */
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { GalleryKey } from '../ports/matcher.ts';
import type { ErrorCode } from '../protocol/errors.ts';
import type { Mode } from '../protocol/mode.ts';

/** Counts requests. Called during every request, so it must be fast and never throw. */
export interface RequestWatch {
  began(): void;
  /**
   * @param route its pattern; null if no route has this path and method
   * @param code of the refusal; null if the request succeeded
   */
  ended(method: string, route: string | null, status: number, code: ErrorCode | null, seconds: number): void;
  /** A request with the credential of an app was refused. @param origin its Origin; null if it has none */
  refused(gallery: GalleryKey, code: ErrorCode, origin: string | null): void;
  /** Bytes that Node.js could not parse as HTTP were refused on the socket. */
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
      if (code !== null && app !== undefined && mode !== undefined)
        watch.refused({ appId: app, mode }, code, ctx.req.headers.origin ?? null);
      const line = { requestId, method, route, status, ms: Math.round(ms * 100) / 100, app, mode };
      log.info(code === null ? line : { ...line, code }, 'request');
    }
  };
}

/** What other middleware leaves in `ctx.state`. */
interface RequestState {
  readonly requestId: string;
  readonly code?: ErrorCode;
  /** Set once the credential is known. */
  readonly app?: string;
  readonly mode?: Mode;
}

function routeOf(ctx: Context): string | null {
  const matched: unknown = ctx._matchedRoute;
  return typeof matched === 'string' ? matched : null;
}
