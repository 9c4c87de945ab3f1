/**
 * The guard around a handler that takes a web-standard Request and gives a Response, as Hono, Next.js, Deno, Bun and
 * others call them. Held by test/sdk/server-web.test.ts.
 */
import type { VerifiedClaims } from './claims.ts';
import { createGuard, type GuardOptions, isRefusal } from './guard.ts';
import type { Verifier } from './verifier.ts';

export type { GuardOptions };

type Answer = Response | Promise<Response>;

/**
 * The handler is called with the request, the claims (null: nobody, with `optional`) and whatever else its caller gave;
 * without a good token the answer is 401, 403 or 503 and it is not called.
 * @throws TypeError when an option is wrong
 */
export function withFaceSignIn<Rest extends unknown[], R extends Request = Request>(
  verifier: Pick<Verifier, 'verify'>,
  handler: (request: R, faceSignIn: VerifiedClaims, ...rest: Rest) => Answer,
  options?: GuardOptions & { readonly optional?: false | undefined },
): (request: R, ...rest: Rest) => Promise<Response>;
export function withFaceSignIn<Rest extends unknown[], R extends Request = Request>(
  verifier: Pick<Verifier, 'verify'>,
  handler: (request: R, faceSignIn: VerifiedClaims | null, ...rest: Rest) => Answer,
  options: GuardOptions,
): (request: R, ...rest: Rest) => Promise<Response>;
export function withFaceSignIn<Rest extends unknown[], R extends Request = Request>(
  verifier: Pick<Verifier, 'verify'>,
  // biome-ignore lint/suspicious/noExplicitAny: the overloads say which
  handler: (request: R, faceSignIn: any, ...rest: Rest) => Answer,
  options?: GuardOptions,
): (request: R, ...rest: Rest) => Promise<Response> {
  const guard = createGuard(verifier, options);
  return async (request, ...rest) => {
    const outcome = await guard(request.headers.get('authorization'), request.headers.get('cookie'));
    if (!isRefusal(outcome)) return handler(request, outcome.claims, ...rest);
    return Response.json(outcome.body, { status: outcome.status, headers: outcome.headers });
  };
}
