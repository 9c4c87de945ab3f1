/** When each error code is answered, and the description of codes that share a status. */
import { ERROR_CODES, errorAnswer } from '../../protocol/error-answer.ts';
import { ERROR_STATUS, type ErrorCode } from '../../protocol/errors.ts';
import { fromSchema } from './schemas.ts';

export const MEANING: Readonly<Record<ErrorCode, string>> = {
  invalid_request:
    'The request is malformed: its address, a header, its body or a field, which the message names.',
  consent_required: '`consent.accepted` is not true.',
  challenge_invalid:
    'The challenge is unknown, expired (after 60 seconds), used (once), or of another app or mode. Ask for a new one.',
  invalid_code: 'The code is wrong, expired or used, or there is none for this address.',
  unauthorized:
    'The credential is missing or not valid, of another kind than the route asks for, or expired.',
  no_match: 'The face is of nobody who is enrolled, or not clearly of one person.',
  token_revoked:
    'The user has signed out with this token, or it is from before the first verification of the email address.',
  origin_not_allowed: 'The Origin of the page is not one of the allowed origins of the app.',
  test_limit_reached: 'The app has as many test users as it may have at once.',
  not_found: 'There is no such user, or no such route.',
  method_not_allowed: 'The path has other methods: `Allow` names them.',
  email_taken: 'The address belongs to a user of the app already.',
  face_already_enrolled: 'The face belongs to a user of the app already.',
  encoder_mismatch:
    'The templates of the app were made by another encoder than the descriptors of the request; the message names ' +
    'both.',
  payload_too_large: 'The body is larger than the route accepts.',
  unsupported_media_type: 'The body is not `application/json` in UTF-8, or is compressed.',
  rate_limited: 'Too many requests, failures or test calls: `Retry-After` tells when to try again.',
  plan_limit_reached: 'The auths of the month are used up (live mode only).',
  internal_error: 'A fault of the service. It has been logged under the request id.',
  email_unavailable: 'No email can be sent: the service has no transport for it.',
  email_send_failed: 'The email could not be sent. No code is pending.',
  service_unavailable: 'The service cannot answer now. Try again soon.',
};

/** Headers that come with a code. */
const HEADERS: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  rate_limited: ['Retry-After'],
  service_unavailable: ['Retry-After'],
  method_not_allowed: ['Allow'],
};

/** The codes by status, in the order of ERROR_CODES. */
export function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  return Map.groupBy(
    ERROR_CODES.filter(code => codes.includes(code)),
    code => ERROR_STATUS[code],
  );
}

/** The name of an answer, from its codes: `RateLimitedOrPlanLimitReached`. */
export function nameOf(codes: readonly ErrorCode[]): string {
  return codes
    .map(code => code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    .join('Or');
}

export function failure(codes: readonly ErrorCode[]): object {
  const headers = ['X-Request-Id', ...codes.flatMap(code => HEADERS[code] ?? [])];
  return {
    description: codes.map(code => `- \`${code}\`: ${MEANING[code]}`).join('\n'),
    headers: headerRefs(headers),
    content: { 'application/json': { schema: fromSchema(errorAnswer(codes)) } },
  };
}

export function headerRefs(names: readonly string[]): object {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}
