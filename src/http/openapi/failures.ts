/** When each error code is answered, and the description of codes that share a status. */
import { errorAnswer } from '../../protocol/error-answer.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { Api } from './description.ts';
import type { Schemas } from './schemas.ts';

export const MEANING: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The URL, a header, the body or a field is malformed. The message says which.',
  consent_required: '`consent.accepted` is not true.',
  challenge_invalid:
    'The challenge is unknown, expired, already used, or of another app or mode. Get a new one.',
  invalid_code: 'The code is wrong, expired or already used, or there is none for this address.',
  unauthorized: 'The credential is missing, invalid, expired, or not of the kind that the route needs.',
  no_match: 'Nobody with this face is enrolled, or the face does not clearly match one person.',
  token_revoked:
    'The user signed out with this token, or their email address was verified for the first time after it was issued.',
  origin_not_allowed: 'The app does not allow this Origin.',
  test_limit_reached: 'The app has the maximum number of test users.',
  not_found: 'The user or the route does not exist.',
  method_not_allowed: 'The path has other methods. `Allow` lists them.',
  email_taken: 'A user of the app already has this address.',
  face_already_enrolled: 'A user of the app already has this face.',
  encoder_mismatch:
    'The app’s templates and the descriptors of the request were made by different encoders. The message names both.',
  payload_too_large: 'The body is too large for this route.',
  unsupported_media_type: 'The body is not `application/json` in UTF-8, or is compressed.',
  rate_limited: 'Too many requests, failures or test calls. `Retry-After` says when to try again.',
  plan_limit_reached: 'The app has reached its plan’s auths per month (live mode only).',
  headers_too_large:
    'URL and headers of the request are together larger than 64 KB, mostly because of cookies, or there are more than 1,000 headers.',
  internal_error: 'The service failed. The log has the error under the request ID.',
  email_unavailable: 'The service is not set up to send email.',
  email_send_failed: 'The email could not be sent. No code is pending.',
  service_unavailable: 'The service is temporarily unavailable. Try again soon.',
};

/** Headers that come with a code. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  rate_limited: ['Retry-After'],
  service_unavailable: ['Retry-After'],
  method_not_allowed: ['Allow'],
};

/** The codes by status, in the order of the API's table. */
export function byStatus({ status }: Pick<Api, 'status'>, codes: readonly string[]): Map<number, string[]> {
  return Map.groupBy(
    Object.keys(status).filter(code => codes.includes(code)),
    code => status[code] as number,
  );
}

/** The name of an answer, from its codes: `RateLimitedOrPlanLimitReached`. */
export function nameOf(codes: readonly string[]): string {
  return codes
    .map(code => code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    .join('Or');
}

export function failure(
  { meaning }: Pick<Api, 'meaning'>,
  schemas: Schemas,
  codes: readonly string[],
): object {
  const headers = ['X-Request-Id', ...codes.flatMap(code => HEADERS[code] ?? [])];
  return {
    description: codes.map(code => `- \`${code}\`: ${meaning[code]}`).join('\n'),
    headers: headerRefs(headers),
    content: { 'application/json': { schema: schemas.from(errorAnswer(codes)) } },
  };
}

export function headerRefs(names: readonly string[]): object {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}
