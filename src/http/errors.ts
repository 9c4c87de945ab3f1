/** The one place that turns an error into an answer: the envelope and its status, and nothing else. */
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { Refusal } from '../domain/refusal.ts';
import { MatcherUnavailable } from '../ports/matcher.ts';
import { StoreUnavailable } from '../ports/store.ts';
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '../protocol/errors.ts';

const UNAVAILABLE_RETRY_MS = 1_000;

export function answerErrors(log: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const refusal = asRefusal(thrown);
      if (ERROR_STATUS[refusal.code] >= 500) {
        // A refusal is a known state. Anything else is a bug, so the log gets the stack.
        const cause = thrown instanceof Refusal ? { code: refusal.code } : describe(thrown);
        log.error({ requestId: ctx.state.requestId, cause }, 'request failed');
      } else if (refusal.code === 'invalid_request') {
        // This message names the field, never its value. For other codes the code says enough.
        log.debug({ requestId: ctx.state.requestId, fault: refusal.message }, 'request refused');
      }
      answer(ctx, refusal);
      // Read the rest of a refused body, so that the next request on this connection does not wait behind it.
      ctx.req.resume();
    }
  };
}

export function errorBody(code: ErrorCode, message: string, more: object = {}): ErrorBody {
  return { error: { code, message, ...more } };
}

function answer(ctx: Context, { code, message, extras }: Refusal): void {
  ctx.state.code = code;
  ctx.status = ERROR_STATUS[code];
  ctx.body = errorBody(code, message, extras.plan);
  ctx.set('Cache-Control', 'no-store');
  if (extras.allow) ctx.set('Allow', extras.allow);
  if (extras.retryAfter !== undefined)
    ctx.set('Retry-After', String(Math.max(1, Math.ceil(extras.retryAfter / 1_000))));
}

function asRefusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof StoreUnavailable || thrown instanceof MatcherUnavailable) {
    return new Refusal('service_unavailable', 'The service cannot answer now. Try again soon.', {
      retryAfter: UNAVAILABLE_RETRY_MS,
    });
  }
  return new Refusal(
    'internal_error',
    'Something went wrong in the service. It has been logged under this request id.',
  );
}

/** What the log may contain: name, message and stack of an error. Messages are written by code, not by callers. */
function describe(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return { name: typeof thrown };
  const { name, message, stack, cause } = thrown;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: describe(cause) }) };
}
