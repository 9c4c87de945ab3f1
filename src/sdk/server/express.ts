/**
 * The guard as Express middleware, or for anything else that calls (req, res, next) with Node's requests and responses.
 * Errors go to `next`. Held by test/sdk/server-frameworks.test.ts and test/sdk/server-late.test.ts.
 */
import type { VerifiedClaims } from './claims.ts';
import { createGuard, type GuardOptions, isRefusal, type Refusal } from './guard.ts';
import type { Verifier } from './verifier.ts';

export type { GuardOptions };

declare global {
  namespace Express {
    interface Request {
      /** Who signed in. Null if nobody is signed in, with `optional`. */
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
  readonly headersSent?: boolean;
  readonly destroyed?: boolean;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/**
 * Puts the claims into `req.faceSignIn` (null if nobody is signed in, with `optional`), or answers 401, 403 or 503.
 * Does nothing if the request has been answered in the meantime or the client is gone.
 * @throws TypeError if an option is invalid
 */
export function faceSignIn(
  verifier: Pick<Verifier, 'verify'>,
  options?: GuardOptions,
): (req: ExpressRequestLike, res: ExpressResponseLike, next: (error?: unknown) => void) => void {
  const guard = createGuard(verifier, options);
  return (req, res, next) => {
    // Calls `next` outside the promise, where nobody would handle what it throws.
    const goOn = (...error: unknown[]) => queueMicrotask(() => next(...error));
    guard(req.headers.authorization, req.headers.cookie)
      .then(outcome => {
        if (res.headersSent || res.destroyed) return;
        if (isRefusal(outcome)) return refuse(res, outcome);
        req.faceSignIn = outcome.claims;
        goOn();
      })
      .catch(goOn);
  };
}

function refuse(res: ExpressResponseLike, { status, headers, body }: Refusal): void {
  res.statusCode = status;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader('content-type', 'application/json; charset=utf-8');
  res.end(JSON.stringify(body));
}
