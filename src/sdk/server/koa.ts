/**
 * The guard as Koa middleware. It does not import Koa.
 * Held by test/sdk/server-frameworks.test.ts and test/sdk/server-late.test.ts.
 */
import { createGuard, type GuardOptions, isRefusal } from './guard.ts';
import type { Verifier } from './verifier.ts';

export type { GuardOptions };

export interface KoaContextLike {
  // biome-ignore lint/suspicious/noExplicitAny: the application decides what its state contains
  state: any;
  status: number;
  body: unknown;
  readonly headerSent?: boolean;
  readonly writable?: boolean;
  /** A header of the request; the empty string if there is none. */
  get(name: string): string;
  set(headers: Record<string, string>): unknown;
}

/**
 * Puts the claims into `ctx.state.faceSignIn` (null if nobody is signed in, with `optional`), or answers 401, 403 or
 * 503. Does nothing if the request has been answered in the meantime or the client is gone.
 * @throws TypeError if an option is invalid
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
