/**
 * The guard as a middleware of Express, or of anything else that calls (req, res, next) with Node's own requests and
 * answers. Held by test/sdk/server-express.test.ts.
 */
import type { VerifiedClaims } from './claims.ts';
import { createGuard, type GuardOptions, isRefusal } from './guard.ts';
import type { Verifier } from './verifier.ts';

export type { GuardOptions };

declare global {
  namespace Express {
    interface Request {
      /** Who signed in; null for nobody, with `optional`. */
      faceSignIn?: VerifiedClaims | null;
    }
  }
}

export interface ExpressRequestLike {
  readonly headers: { readonly authorization?: string | undefined; readonly cookie?: string | undefined };
  faceSignIn?: VerifiedClaims | null;
}

export interface ExpressResponseLike {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/**
 * Puts the claims into `req.faceSignIn` (null: nobody, with `optional`), or answers 401, 403 or 503 and goes no further.
 * @throws TypeError when an option is wrong
 */
export function faceSignIn(
  verifier: Pick<Verifier, 'verify'>,
  options?: GuardOptions,
): (req: ExpressRequestLike, res: ExpressResponseLike, next: (error?: unknown) => void) => void {
  const guard = createGuard(verifier, options);
  return (req, res, next) => {
    guard(req.headers.authorization, req.headers.cookie).then(outcome => {
      if (!isRefusal(outcome)) {
        req.faceSignIn = outcome.claims;
        return next();
      }
      res.statusCode = outcome.status;
      for (const [name, value] of Object.entries(outcome.headers)) res.setHeader(name, value);
      res.setHeader('content-type', 'application/json; charset=utf-8');
      res.end(JSON.stringify(outcome.body));
      return undefined;
    }, next);
  };
}
