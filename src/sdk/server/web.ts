/**
 * The guard around a handler that takes a web-standard Request and returns a Response, as in Hono, Next.js, Deno and
 * Bun.
 * Held by test/sdk/server-frameworks.test.ts.
 */
import type { VerifiedClaims } from './claims.ts';
import { createGuard, type GuardOptions, isRefusal } from './guard.ts';
import type { Verifier } from './verifier.ts';

export type { GuardOptions };

type Answer = Response | Promise<Response>;

/**
 * Calls the handler with the request, the claims (null if nobody is signed in, with `optional`) and any further
 * arguments. Without a valid token it answers 401, 403 or 503 and does not call the handler.
 * @throws TypeError if an option is invalid
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
  // biome-ignore lint/suspicious/noExplicitAny: the overloads have the types
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
