/**
 * Which request a line of the log belongs to, for lines that are written deep below it: mail on its way, a gallery that is
 * loaded. The name goes with the work by itself, so that nothing between has to hand it on.
 * Held by test/http/log-lines.test.ts.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<string>();

/** All that the work starts belongs to the request, also what goes on after its answer. */
export function inRequest<Answer>(requestId: string, work: () => Answer): Answer {
  return scope.run(requestId, work);
}

/** What every line of the log gets, as pino's `mixin`: an object of its own, because pino writes the line's fields into it. */
export function requestFields(): { requestId?: string } {
  const requestId = scope.getStore();
  return requestId === undefined ? {} : { requestId };
}
