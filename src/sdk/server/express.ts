/**
 * The guard as a middleware of Express, or of anything else that calls (req, res, next) with Node's own requests and
 * answers. Errors go to `next`. Held by test/sdk/server-express.test.ts and test/sdk/server-late.test.ts.
 */
import type { VerifiedClaims } from './claims.ts';
import { createGuard, type GuardOptions, isRefusal, type Refusal } from './guard.ts';
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
  readonly headersSent?: boolean;
  readonly destroyed?: boolean;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

/**
 * Puts the claims into `req.faceSignIn` (null: nobody, with `optional`), or answers 401, 403 or 503 and goes no further.
 * It does nothing when the request was answered meanwhile, or its client has gone.
 * @throws TypeError when an option is wrong
 */
export function faceSignIn(
  verifier: Pick<Verifier, 'verify'>,
  options?: GuardOptions,
): (req: ExpressRequestLike, res: ExpressResponseLike, next: (error?: unknown) => void) => void {
  const guard = createGuard(verifier, options);
  return (req, res, next) => {
    // `next` is called outside of the promise, whose rejection nobody would handle.
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
