/**
 * All errors of the server SDK, as closed unions of codes: one for a token that was refused, one for a request to the
 * service that failed. Messages are for developers and logs, never for the person who sent the token: the middlewares
 * answer with their own texts (guard.ts). No error contains a token, a key or the value of a claim.
 * Held by test/sdk/server-verify.test.ts and test/sdk/server-online.test.ts.
 */
import type { ErrorCode } from '../../protocol/errors.ts';

const MEANINGS = {
  malformed:
    'This is not a user token: it needs three parts in canonical base64url, with the claims of the service.',
  issuer: 'The token was issued by another service than the option "issuer" names.',
  audience: 'The token is not meant for this mode and app: it lacks their audience.',
  app: 'The token belongs to another app than the option "appId" names.',
  mode_mismatch: 'The token belongs to the other mode, not to the one the option "mode" names.',
  expired: 'The token has expired.',
  not_yet_valid: 'The token is not valid yet.',
  signature: 'The token was not signed by a key that the service publishes now.',
  email_not_verified: 'The email address of the user has not been verified by a code.',
  keys_unavailable: 'The public keys of the service could not be fetched, so the token could not be checked.',
  invalid:
    'The token says that it was issued later than now, or the service rejects it: its signing key was revoked, its ' +
    'app was deleted, or the secret key belongs to another app than "appId".',
  revoked:
    'The token was revoked: its user signed out, was deleted, or verified the email address for the first time after ' +
    'it was issued; or all tokens were.',
  revocations_stale:
    'The service has not told for longer than "maxAgeSeconds" which tokens are revoked, so the token could not be checked.',
  user_not_found: 'The user of the token was deleted.',
  unauthorized: 'The service does not know the secret key: it was revoked, or belongs to another service.',
  rate_limited: 'The secret key has used all its requests for this minute.',
  unavailable: 'The service could not be asked about the token.',
  aborted: 'The caller aborted the verification.',
} as const;

/** Why a token was refused. The last four, `keys_unavailable` and `revocations_stale` are not about the token. */
export type VerificationCode = keyof typeof MEANINGS;

const NOT_ABOUT_THE_TOKEN: ReadonlySet<VerificationCode> = new Set([
  'keys_unavailable',
  'revocations_stale',
  'unauthorized',
  'rate_limited',
  'unavailable',
  'aborted',
]);

/** A token that was refused. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly code: VerificationCode;
  /** Seconds to wait before asking again, if the service said so. */
  readonly retryAfter: number | undefined;

  constructor(code: VerificationCode, options: { cause?: unknown; retryAfter?: number | undefined } = {}) {
    super(MEANINGS[code], options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}

/**
 * Recognises the error by name and code, not by class: a program may contain several copies of this package.
 */
export function isVerificationError(error: unknown): error is VerificationError {
  return (
    error instanceof Error &&
    error.name === 'VerificationError' &&
    Object.hasOwn(MEANINGS, (error as { code?: PropertyKey }).code ?? '')
  );
}

/** Whether the code says nothing about the token, so that signing in again would not help. */
export function isOutage(code: VerificationCode): boolean {
  return NOT_ABOUT_THE_TOKEN.has(code);
}

/**
 * A code of the API, or `unavailable`: no answer in time, or a 5xx or 429 that is not from the service;
 * `unexpected_answer`: any other answer that is not from the service; `aborted`: by the caller's signal.
 */
export type ServiceErrorCode = ErrorCode | 'unavailable' | 'unexpected_answer' | 'aborted';

export interface ServiceErrorOptions {
  readonly cause?: unknown;
  readonly status?: number | undefined;
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
}

/** A request to the service that failed. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  /** HTTP status, if there was an answer. */
  readonly status: number | undefined;
  /** Seconds to wait before trying again, if the service said so. */
  readonly retryAfter: number | undefined;
  /** `X-Request-Id` of the answer, as in the log of the service. */
  readonly requestId: string | undefined;

  constructor(code: ServiceErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.retryAfter = options.retryAfter;
    this.requestId = options.requestId;
  }
}
