/**
 * All error codes and their HTTP status. The HTTP layer, the API description and the SDKs share this table. The type
 * checker rejects any other code.
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  consent_required: 400,
  challenge_invalid: 400,
  invalid_code: 400,
  unauthorized: 401,
  no_match: 401,
  token_revoked: 401,
  origin_not_allowed: 403,
  test_limit_reached: 403,
  not_found: 404,
  method_not_allowed: 405,
  email_taken: 409,
  face_already_enrolled: 409,
  encoder_mismatch: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  plan_limit_reached: 429,
  headers_too_large: 431,
  internal_error: 500,
  email_unavailable: 503,
  email_send_failed: 503,
  service_unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The extra fields of `error` for `plan_limit_reached`. */
export interface PlanLimitDetail {
  readonly limit: number;
  readonly used: number;
  /** First instant of the next UTC month, ISO 8601. */
  readonly resets_at: string;
}
