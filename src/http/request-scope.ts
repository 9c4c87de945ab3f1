/**
 * Which request a log line belongs to, for lines written deep below it, such as those about mail delivery or loading a
 * gallery. The id follows the work by itself, so no function in between has to pass it on.
 * Held by test/http/log-lines.test.ts.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<string>();

/** Everything that `work` starts belongs to the request, even what continues after the answer. */
export function inRequest<Answer>(requestId: string, work: () => Answer): Answer {
  return scope.run(requestId, work);
}

/** Pino's `mixin` for every log line. A new object each time, because pino writes the fields of the line into it. */
export function requestFields(): { requestId?: string } {
  const requestId = scope.getStore();
  return requestId === undefined ? {} : { requestId };
}
