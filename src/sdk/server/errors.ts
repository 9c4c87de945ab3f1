/**
 * Everything that can go wrong in the server SDK, as closed unions of codes: one for a token that is not taken, one for a
 * request that the service did not answer as hoped. Messages are for developers and logs, never for the person who sent
 * the token: the middlewares answer with texts of their own (guard.ts). No error holds a token, a key or a claim's value.
 * Held by test/sdk/server-verify.test.ts and test/sdk/server-online.test.ts.
 */
import type { ErrorCode } from '../../protocol/errors.ts';

const MEANINGS = {
  malformed:
    'This is not a user token: three parts in base64url, each in its one spelling, with the claims of the service.',
  issuer: 'The token was issued by another service than the option "issuer" names.',
  audience: 'The token is not meant for this mode and app: it lacks their audience.',
  app: 'The token belongs to another app than the option "appId" names.',
  mode_mismatch: 'The token is of the other mode than the option "mode" names.',
  expired: 'The token has expired.',
  not_yet_valid: 'The token is not valid yet.',
  signature: 'The token was not signed by a key that the service publishes now.',
  email_not_verified: 'The email address of the user has not been proven by a code.',
  keys_unavailable:
    'The public keys of the service could not be fetched, so nothing can be said of the token.',
  invalid:
    'The service does not take the token: its key was revoked, its app is gone, or the secret key belongs to another app than "appId".',
  revoked:
    'The token was revoked: its user signed out, or the email address was verified for the first time after it was issued.',
  user_not_found: 'The user of the token was deleted.',
  unauthorized: 'The service does not know the secret key: it was revoked, or is of another service.',
  rate_limited: 'The secret key has used up its requests of this minute.',
  unavailable: 'The service could not be asked about the token.',
  aborted: 'The caller gave the verification up by its signal.',
} as const;

/** Why a token was not taken. The last four, and `keys_unavailable`, say nothing about the token itself. */
export type VerificationCode = keyof typeof MEANINGS;

const NOT_ABOUT_THE_TOKEN: ReadonlySet<VerificationCode> = new Set([
  'keys_unavailable',
  'unauthorized',
  'rate_limited',
  'unavailable',
  'aborted',
]);

/** A token that was not taken. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly code: VerificationCode;
  /** Seconds until it is worth asking again, where the service said so. */
  readonly retryAfter: number | undefined;

  constructor(code: VerificationCode, options: { cause?: unknown; retryAfter?: number | undefined } = {}) {
    super(MEANINGS[code], options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}

/**
 * Told by its name and code and not by its class, of which a program may hold several copies when its packages bring this
 * one along.
 */
export function isVerificationError(error: unknown): error is VerificationError {
  return (
    error instanceof Error &&
    error.name === 'VerificationError' &&
    Object.hasOwn(MEANINGS, (error as { code?: PropertyKey }).code ?? '')
  );
}

/** Whether the code tells of the way to an answer and not of the token: the person need not sign in again. */
export function isOutage(code: VerificationCode): boolean {
  return NOT_ABOUT_THE_TOKEN.has(code);
}

/**
 * A code of the API, or: `unavailable`, no answer in time or a 5xx without an envelope of the service; `unexpected_answer`,
 * an answer that is none of the service's; `aborted`, by the caller's signal.
 */
export type ServiceErrorCode = ErrorCode | 'unavailable' | 'unexpected_answer' | 'aborted';

export interface ServiceErrorOptions {
  readonly cause?: unknown;
  readonly status?: number | undefined;
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
}

/** A request to the service that did not end well. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  /** HTTP status, when there was an answer. */
  readonly status: number | undefined;
  /** Seconds to wait before trying again, where the service said so. */
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
