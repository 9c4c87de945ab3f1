/**
 * What the middlewares have in common: where the token of a request is, and the answer when there is no good one. The
 * answers are the same for every fault of a token, and tell nothing of its cause; `onRefused` is told. Refuses with 401
 * what signing in again would mend, with 403 an unproven address, and with 503 what is no fault of the token, so that an
 * outage signs nobody out. Held by test/sdk/server-guard.test.ts and the test of each middleware.
 */
import type { VerifiedClaims } from './claims.ts';
import { isOutage, isVerificationError, type VerificationError } from './errors.ts';
import type { Verifier } from './verifier.ts';

export interface GuardOptions {
  /** Let requests without a token through, as nobody's. A token that is not good is refused all the same. Usually false. */
  readonly optional?: boolean | undefined;
  /**
   * Also take the token from this cookie, when there is no `Authorization: Bearer`. Usually not: browsers send cookies
   * along with requests that other sites' pages make, so routes that change something then need a defence against CSRF.
   */
  readonly cookie?: string | undefined;
  /** Answer 403 to users whose address was never proven. Usually what the verifier says. */
  readonly requireVerifiedEmail?: boolean | undefined;
  /** Is told why a token was refused: for your log. The answer waits for it; what it throws goes to your framework. */
  readonly onRefused?: ((error: VerificationError) => unknown) | undefined;
}

/** The error envelope of the service, as your pages know it. */
export interface Refusal {
  readonly status: 401 | 403 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: { readonly code: string; readonly message: string } };
}

export interface Passed {
  /** Null: nobody, where that is allowed. */
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

/** @throws TypeError when an option is wrong; the message names it */
export function createGuard(verifier: Pick<Verifier, 'verify'>, options: GuardOptions = {}): Guard {
  if (typeof verifier?.verify !== 'function')
    throw new TypeError('Give a verifier, as createVerifier makes it.');
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
      // Anything else is a fault of the program, and its framework's to answer.
      if (!isVerificationError(error)) throw error;
      await onRefused?.(error);
      return refusalOf(error);
    }
  };
}

/** Null: no token was sent this way. What is no token, behind `Bearer`, is for the verifier to refuse. */
function bearerOf(header: string | null | undefined): string | null {
  const found = /^bearer(?:\s+(.*))?$/is.exec(header?.trim() ?? '');
  return found ? (found[1] ?? '') : null;
}

/** A cookie that is there twice may have been set by somebody else: it is taken for no token at all. */
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
    return answer(403, 'email_not_verified', 'Prove your email address first, by a code.');
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
