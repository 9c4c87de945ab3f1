/**
 * What all middlewares share: where to find the token of a request, and the answer if it is missing or invalid. The
 * answer is the same for every invalid token and does not say why; `onRefused` gets the reason. 401 means that signing
 * in again helps, 403 that the address is not verified, and 503 that the token could not be checked, so that an outage
 * signs nobody out. Held by test/sdk/server-guard.test.ts and the test of each middleware.
 */
import type { VerifiedClaims } from './claims.ts';
import { isOutage, isVerificationError, type VerificationError } from './errors.ts';
import type { Verifier } from './verifier.ts';

export interface GuardOptions {
  /** Let requests without a token through. An invalid token is still refused. Default: false. */
  readonly optional?: boolean | undefined;
  /**
   * Also take the token from this cookie, if there is no `Authorization: Bearer`. Default: no cookie. Browsers send
   * cookies with requests that other sites make, so routes that change something then need protection against CSRF.
   */
  readonly cookie?: string | undefined;
  /** Answer 403 to users whose address has never been verified. Default: the verifier's option. */
  readonly requireVerifiedEmail?: boolean | undefined;
  /** Gets the reason why a token was refused, for your log. The answer waits for it; errors go to your framework. */
  readonly onRefused?: ((error: VerificationError) => unknown) | undefined;
}

/** The error envelope of the service, as your pages know it. */
export interface Refusal {
  readonly status: 401 | 403 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: { readonly code: string; readonly message: string } };
}

export interface Passed {
  /** Null if nobody is signed in, with `optional`. */
  readonly claims: VerifiedClaims | null;
}

/** @param authorization, cookies the headers of the request */
export type Guard = (
  authorization: string | null | undefined,
  cookies: string | null | undefined,
) => Promise<Passed | Refusal>;

export const isRefusal = (outcome: Passed | Refusal): outcome is Refusal => 'status' in outcome;

const KNOWN: Readonly<Record<keyof GuardOptions, true>> = {
  optional: true,
  cookie: true,
  requireVerifiedEmail: true,
  onRefused: true,
};

/** @throws TypeError that names the invalid option */
export function createGuard(verifier: Pick<Verifier, 'verify'>, options: GuardOptions = {}): Guard {
  if (typeof verifier?.verify !== 'function') throw new TypeError('Pass a verifier made by createVerifier.');
  for (const name of Object.keys(options))
    if (!Object.hasOwn(KNOWN, name))
      throw new TypeError(`There is no option "${name}". Known are: ${Object.keys(KNOWN).join(', ')}.`);
  const { optional = false, cookie, requireVerifiedEmail, onRefused } = options;
  if (cookie !== undefined && !/^[\w!#$%&'*+.^`|~-]+$/.test(cookie))
    throw new TypeError('cookie: give the name of a cookie.');

  return async (authorization, cookies) => {
    const token = bearerOf(authorization) ?? (cookie === undefined ? null : cookieOf(cookies, cookie));
    if (token === null) return optional ? { claims: null } : MISSING;
    try {
      const how = requireVerifiedEmail === undefined ? {} : { requireVerifiedEmail };
      return { claims: await verifier.verify(token, how) };
    } catch (error) {
      // Anything else is a bug in the program, which its framework answers.
      if (!isVerificationError(error)) throw error;
      await onRefused?.(error);
      return refusalOf(error);
    }
  };
}

/** Null if there is no Bearer. Anything behind `Bearer` goes to the verifier, which refuses what is not a token. */
function bearerOf(header: string | null | undefined): string | null {
  const found = /^bearer(?:\s+(.*))?$/is.exec(header?.trim() ?? '');
  return found ? (found[1] ?? '') : null;
}

/** If a cookie is there twice, another site may have set one, so the result is an invalid token. */
function cookieOf(header: string | null | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(`${name}=`))
    .map(pair => pair.slice(name.length + 1).replace(/^"(.*)"$/, '$1'));
  if (values.length === 0) return null;
  return values.length === 1 ? (values[0] as string) : '';
}

function refusalOf({ code, retryAfter }: VerificationError): Refusal {
  if (isOutage(code))
    return answer(503, 'service_unavailable', 'Sign-ins cannot be checked at the moment. Try again soon.', {
      'retry-after': String(Math.max(1, retryAfter ?? 5)),
    });
  if (code === 'email_not_verified')
    return answer(403, 'email_not_verified', 'Verify your email address first, with a code.');
  return answer(401, 'unauthorized', 'Sign in again.', {
    'www-authenticate': 'Bearer error="invalid_token"',
  });
}

function answer(
  status: Refusal['status'],
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return { status, headers: { 'cache-control': 'no-store', ...headers }, body: { error: { code, message } } };
}

const MISSING = answer(401, 'unauthorized', 'Sign in first.', { 'www-authenticate': 'Bearer' });
