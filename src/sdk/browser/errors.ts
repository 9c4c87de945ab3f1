/**
 * Everything that can go wrong in the browser SDK, as one closed union of codes: what happens on the device, what happens
 * on the way, and each code of the API. Every error says in a sentence what the person in front of it can do; what a
 * developer needs is in `cause` and `detail`. Held by test/sdk/browser-errors.test.ts.
 */
import type { ErrorCode } from '../../protocol/errors.ts';

/** Codes of the API, and those of the device and the way there. */
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
  /** The service does not take the publishable key: what it answers as `unauthorized` where the key was sent. */
  | 'key_refused'
  /** A verb that needs somebody signed in, and nobody is, or the token has expired. */
  | 'not_signed_in';

export interface FaceSignInErrorOptions {
  readonly cause?: unknown;
  /** For developers: never shown to a person. */
  readonly detail?: string;
  /** HTTP status, when the API answered. */
  readonly status?: number;
  /** Seconds to wait before trying again. */
  readonly retryAfter?: number;
  /** `X-Request-Id` of the answer. */
  readonly requestId?: string;
  /** With `plan_limit_reached`. */
  readonly plan?: PlanUse;
}

/** How much of the plan is used up, and until when. */
export interface PlanUse {
  /** Auths a month. */
  readonly limit: number;
  readonly used: number;
  readonly resetsAt: Date;
}

const DEVICE_SENTENCES: Readonly<Record<DeviceErrorCode, string>> = {
  camera_denied: 'The camera is blocked. Allow it for this page in your browser, then try again.',
  camera_in_use: 'Another program is using the camera. Close it, then try again.',
  camera_missing: 'No camera was found. Connect one, or sign in with a code by email.',
  insecure_page: 'The camera works on secure pages only. Open this page with https.',
  encoder_failed: 'Face recognition could not be loaded. Reload the page, or sign in with a code by email.',
  no_face: 'No face was seen. Look at the camera and try again.',
  several_faces: 'More than one face was seen. Only one person should be in the picture.',
  too_dark: 'It is too dark. Turn on a light, or face a window.',
  too_far: 'Come closer to the camera.',
  offline: 'There is no connection. Check your network, then try again.',
  timeout: 'The answer took too long. Try again.',
  aborted: 'Stopped.',
  unexpected_answer: 'Something went wrong. Try again later.',
  key_refused: 'This page is not set up to sign people in. Tell its operator.',
  not_signed_in: 'Sign in first.',
};

/** One for each code of the API: none is missing and none too many, by the type. */
const API_SENTENCES: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'Something in what was sent is wrong. Check what you typed.',
  consent_required: 'Agree to the use of your face before you enroll.',
  challenge_invalid: 'That took too long. Try again.',
  invalid_code: 'That code is wrong or too old. Check it, or ask for a new one.',
  unauthorized: 'You are signed out. Sign in again.',
  no_match: 'Your face was not recognised. Try again, or sign in with a code by email.',
  token_revoked: 'You are signed out. Sign in again.',
  origin_not_allowed: 'This page may not sign people in here. Tell its operator.',
  test_limit_reached: 'The test app is full. Tell its operator.',
  not_found: 'This account is gone.',
  method_not_allowed: 'Something went wrong. Try again later.',
  email_taken: 'This address is taken. Sign in with it, or use another one.',
  face_already_enrolled: 'This face is enrolled already. Sign in instead.',
  encoder_mismatch:
    'Face sign-in does not work here at the moment. Use a code by email, or contact the site owner.',
  payload_too_large: 'Too much was sent. Try again.',
  unsupported_media_type: 'Something went wrong. Try again later.',
  rate_limited: 'Too many attempts. Wait a moment, then try again.',
  plan_limit_reached: 'Face sign-in is used up for this month. Tell the operator of this page.',
  internal_error: 'Something went wrong. Try again later.',
  email_unavailable: 'Codes cannot be sent at the moment. Try again later.',
  email_send_failed: 'The code could not be sent. Try again later.',
  service_unavailable: 'The service is busy. Try again in a moment.',
};

/** Sentences for people, in English; the web component brings other languages. */
export const SENTENCES: Readonly<Record<FaceSignInErrorCode, string>> = {
  ...DEVICE_SENTENCES,
  ...API_SENTENCES,
};

/** Whether the API has such a code, and not only the device. */
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

/** An error of this SDK with that code. */
export function isErrorOf(error: unknown, code: FaceSignInErrorCode): error is FaceSignInError {
  return error instanceof FaceSignInError && error.code === code;
}
