/**
 * All error codes of the browser SDK: of the device, the network and the API. The message of an error says in one
 * sentence what the person can do. `cause` and `detail` are for developers. Held by test/sdk/browser-errors.test.ts.
 */
import type { ErrorCode } from '../../protocol/errors.ts';

/** The codes of the API, the device and the network. */
export type FaceSignInErrorCode = ErrorCode | DeviceErrorCode;

export type DeviceErrorCode =
  | 'camera_denied'
  | 'camera_in_use'
  | 'camera_missing'
  | 'insecure_page'
  | 'encoder_failed'
  | 'no_face'
  | 'several_faces'
  | 'too_dark'
  | 'too_far'
  | 'offline'
  | 'timeout'
  | 'aborted'
  | 'unexpected_answer'
  /** The service refused the publishable key: it answered `unauthorized` to a request with the key. */
  | 'key_refused'
  /** The call needs a session, but nobody is signed in or the token has expired. */
  | 'not_signed_in'
  /**
   * The person signed in by face, but the owner of the email address has not confirmed that face: this call needs a
   * sign-in by email code. The session stays.
   */
  | 'email_code_needed';

export interface FaceSignInErrorOptions {
  readonly cause?: unknown;
  /** For developers. Do not show it to people. */
  readonly detail?: string;
  /** HTTP status, when the API answered. */
  readonly status?: number;
  /** Seconds to wait before trying again. */
  readonly retryAfter?: number;
  /** `X-Request-Id` of the response. */
  readonly requestId?: string;
  /** With `plan_limit_reached`. */
  readonly plan?: PlanUse;
}

/** The usage of the plan, and when it resets. */
export interface PlanUse {
  /** Auths per month. */
  readonly limit: number;
  readonly used: number;
  readonly resetsAt: Date;
}

const DEVICE_SENTENCES: Readonly<Record<DeviceErrorCode, string>> = {
  camera_denied: 'The camera is blocked. Allow it for this page in your browser, then try again.',
  camera_in_use: 'Another program is using the camera. Close it, then try again.',
  camera_missing: 'No camera was found. Connect one, or sign in with an email code.',
  insecure_page: 'The camera works only on secure pages. Open this page with https://.',
  encoder_failed: 'Face recognition could not be loaded. Reload the page, or sign in with an email code.',
  no_face: 'No face was found. Look at the camera and try again.',
  several_faces: 'More than one face was found. Only one person may be in the picture.',
  too_dark: 'It is too dark. Turn on a light, or face a window.',
  too_far: 'Come closer to the camera.',
  offline: 'There is no connection. Check your network, then try again.',
  timeout: 'The response took too long. Try again.',
  aborted: 'Stopped.',
  unexpected_answer: 'Something went wrong. Try again later.',
  key_refused: 'Sign-in is not set up on this page. Contact the site owner.',
  not_signed_in: 'Sign in first.',
  email_code_needed: 'Sign in with an email code first, to show that this account is yours.',
};

/** The type checker requires one for each code of the API. */
const API_SENTENCES: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'Some of the data is not valid. Check what you typed.',
  consent_required: 'Agree to the use of your face before you enroll.',
  challenge_invalid: 'That took too long. Try again.',
  invalid_code: 'The code is wrong or has expired. Check it, or request a new one.',
  unauthorized: 'You are signed out. Sign in again.',
  no_match: 'Your face was not recognised. Try again, or sign in with an email code.',
  token_revoked: 'You are signed out. Sign in again.',
  origin_not_allowed: 'Sign-in is not allowed from this page. Contact the site owner.',
  test_limit_reached: 'The limit of the test app is reached. Contact the site owner.',
  not_found: 'This account no longer exists.',
  method_not_allowed: 'Something went wrong. Try again later.',
  email_taken: 'This address is already enrolled. Sign in with it, or use another one.',
  face_already_enrolled: 'This face is already enrolled. Sign in instead.',
  encoder_mismatch:
    'Face sign-in does not work here at the moment. Use an email code, or contact the site owner.',
  payload_too_large: 'Too much data was sent. Try again.',
  unsupported_media_type: 'Something went wrong. Try again later.',
  rate_limited: 'Too many attempts. Wait a moment, then try again.',
  plan_limit_reached: 'This site has reached its monthly sign-in limit. Contact the site owner.',
  internal_error: 'Something went wrong. Try again later.',
  email_unavailable: 'Email codes are not available at the moment. Try again later.',
  email_send_failed: 'The code could not be sent. Try again later.',
  service_unavailable: 'The service is busy. Try again in a moment.',
};

/** Messages for people, in English. The web component has other languages. */
export const SENTENCES: Readonly<Record<FaceSignInErrorCode, string>> = {
  ...DEVICE_SENTENCES,
  ...API_SENTENCES,
};

/** Whether this is a code of the API. */
export const isApiCode = (code: string): code is ErrorCode => Object.hasOwn(API_SENTENCES, code);

export class FaceSignInError extends Error {
  override readonly name = 'FaceSignInError';
  readonly code: FaceSignInErrorCode;
  readonly detail: string | undefined;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  readonly plan: PlanUse | undefined;

  constructor(code: FaceSignInErrorCode, options: FaceSignInErrorOptions = {}) {
    super(SENTENCES[code], 'cause' in options ? { cause: options.cause } : {});
    this.code = code;
    this.detail = options.detail;
    this.status = options.status;
    this.retryAfter = options.retryAfter;
    this.requestId = options.requestId;
    this.plan = options.plan;
  }
}

/** Whether this is an error of this SDK with this code. */
export function isErrorOf(error: unknown, code: FaceSignInErrorCode): error is FaceSignInError {
  return error instanceof FaceSignInError && error.code === code;
}
