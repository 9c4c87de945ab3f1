/**
 * The guard as a middleware of Koa, of which it needs nothing but its shape. Held by test/sdk/server-koa.test.ts and
 * test/sdk/server-late.test.ts.
 */
import { createGuard, type GuardOptions, isRefusal } from './guard.ts';
import type { Verifier } from './verifier.ts';

export type { GuardOptions };

export interface KoaContextLike {
  // biome-ignore lint/suspicious/noExplicitAny: what a state holds is the application's
  state: any;
  status: number;
  body: unknown;
  readonly headerSent?: boolean;
  readonly writable?: boolean;
  /** A header of the request; the empty text when there is none. */
  get(name: string): string;
  set(headers: Record<string, string>): unknown;
}

/**
 * Puts the claims into `ctx.state.faceSignIn` (null: nobody, with `optional`), or answers 401, 403 or 503 and goes no
 * further. It does nothing when the request was answered meanwhile, or its client has gone.
 * @throws TypeError when an option is wrong
 */
export function faceSignIn(
  verifier: Pick<Verifier, 'verify'>,
  options?: GuardOptions,
): (ctx: KoaContextLike, next: () => Promise<unknown>) => Promise<void> {
  const guard = createGuard(verifier, options);
  return async (ctx, next) => {
    const outcome = await guard(ctx.get('authorization'), ctx.get('cookie'));
    if (ctx.headerSent || ctx.writable === false) return;
    if (isRefusal(outcome)) {
      ctx.status = outcome.status;
      ctx.set({ ...outcome.headers });
      ctx.body = outcome.body;
      return;
    }
    ctx.state.faceSignIn = outcome.claims;
    await next();
  };
}
