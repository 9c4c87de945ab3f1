/** The one place that turns an error into an answer: the envelope and its status, and nothing else. */
import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { faceInQuestion } from '../domain/me/face.ts';
import { Refusal, type RefusalExtras, unavailable } from '../domain/refusal.ts';
import { MatcherUnavailable } from '../ports/matcher.ts';
import { FaceInQuestion, StoreUnavailable } from '../ports/store.ts';
import { ERROR_STATUS, type ErrorCode } from '../protocol/errors.ts';

const UNAVAILABLE_RETRY_MS = 1_000;

/** An error as it is answered. */
export interface Answered<Code extends string = string> {
  readonly code: Code;
  readonly status: number;
  readonly message: string;
  readonly extras: Pick<RefusalExtras, 'retryAfter' | 'plan' | 'allow'>;
}

/** @param known turns errors that only one application throws into answers; null for any other error */
export function answerErrors(
  log: Logger,
  known: (thrown: unknown) => Answered | null = () => null,
): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const answered = known(thrown) ?? answeredAs(thrown);
      if (answered.status >= 500) {
        // A refusal is a known state. Anything else is a bug, so the log gets the stack.
        const cause = thrown instanceof Refusal ? { code: answered.code } : describe(thrown);
        log.error({ requestId: ctx.state.requestId, cause }, 'request failed');
      } else if (answered.code === 'invalid_request') {
        // This message names the field, never its value. For other codes the code says enough.
        log.debug({ requestId: ctx.state.requestId, fault: answered.message }, 'request refused');
      }
      answer(ctx, answered);
      // Read the rest of a refused body, so that the next request on this connection does not wait behind it.
      ctx.req.resume();
    }
  };
}

export function errorBody<Code extends string>(code: Code, message: string, more: object = {}) {
  return { error: { code, message, ...more } };
}

function answer(ctx: Context, { code, status, message, extras }: Answered): void {
  ctx.state.code = code;
  ctx.status = status;
  ctx.body = errorBody(code, message, extras.plan);
  ctx.set('Cache-Control', 'no-store');
  if (extras.allow) ctx.set('Allow', extras.allow);
  if (extras.retryAfter !== undefined)
    ctx.set('Retry-After', String(Math.max(1, Math.ceil(extras.retryAfter / 1_000))));
}

/** How any error is answered: a bug as `internal_error`. */
export function answeredAs(thrown: unknown): Answered<ErrorCode> {
  const { code, message, extras } = asRefusal(thrown);
  return { code, status: ERROR_STATUS[code], message, extras };
}

function asRefusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof FaceInQuestion) return faceInQuestion();
  if (thrown instanceof StoreUnavailable || thrown instanceof MatcherUnavailable)
    return unavailable(UNAVAILABLE_RETRY_MS);
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

/** Refuses requests that no route of a router answers: an unknown path, or a path with other methods. */
export function noRoute(router: Router): Middleware {
  return ctx => {
    const allowed = new Set(router.match(ctx.path, ctx.method).path.flatMap(layer => layer.methods));
    if (allowed.size === 0) throw new Refusal('not_found', 'There is no such route.');
    const allow = [...allowed].sort().join(', ');
    throw new Refusal('method_not_allowed', `This route answers ${allow}.`, { allow });
  };
}
