/**
 * All error codes of the browser SDK: of the device, the network and the API. The message of an error says in one
 * sentence what the person can do. `cause` and `detail` are for developers. Held by test/sdk/element-strings.test.ts.
 */
import type { ErrorCode } from '../../protocol/errors.ts';

/** The codes of the API, the device and the network. */
export type FaceSignInErrorCode = ErrorCode | DeviceErrorCode;

export type DeviceErrorCode = keyof typeof DEVICE_SENTENCES;

export interface FaceSignInErrorOptions {
  readonly cause?: unknown;
  /** For developers. Do not show it to people. */
  readonly detail?: string;
  /** HTTP status, when the API answered. */
  readonly status?: number;
  /** Seconds to wait before trying again. */
  readonly retryAfter?: number;
  /** Default: by the code. */
  readonly retryable?: boolean;
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

/** One for each code of the device and the network. */
const DEVICE_SENTENCES = {
  /** By the person, the browser or the device. */
  camera_denied: 'The camera is blocked. Allow it in the settings of your browser or device, then try again.',
  /** By the page's own policy, or that of the frame it is in. */
  camera_forbidden: 'This page may not use the camera. Contact the site owner, or use an email code.',
  camera_in_use: 'The camera is not free. Close other programs that use it, then try again.',
  camera_missing: 'No camera was found. Connect one, or sign in with an email code.',
  /** None fits the `constraints` that the page asks for. */
  camera_unsuitable: 'Your camera does not suit this page. Use another one, or an email code.',
  /** Pages cannot use a camera in this browser. */
  camera_unsupported: 'Pages cannot use a camera in this browser. Use another one, or an email code.',
  /** It stopped during the capture: unplugged, taken away, or its video interrupted. */
  camera_stopped: 'The camera stopped. Check that it is connected, then try again.',
  /** It did not start, for another reason or none. */
  camera_failed: 'The camera did not start. Try again, or sign in with an email code.',
  /** The browser plays no video before the person does something. */
  video_blocked: 'The browser did not play the video of your camera. Try again.',
  insecure_page: 'The camera works only on secure pages. Open this page with https://.',
  /** Older than the supported browsers, and something failed that the SDK does not explain otherwise. */
  browser_too_old: 'This browser is too old. Update it, or use another one.',
  /** A part of the SDK did not come: the network failed, or it is gone since an update of the site. */
  load_failed: 'A part of this page could not be loaded. Try again, or reload the page.',
  encoder_failed: 'Face recognition could not be loaded. Reload the page, or sign in with an email code.',
  no_face: 'No face was found. Look at the camera and try again.',
  several_faces: 'More than one face was found. Only one person may be in the picture.',
  too_dark: 'It is too dark. Turn on a light or face a window, and check that nothing covers the camera.',
  backlit: 'The light is behind you. Turn until it is on your face, then try again.',
  too_bright: 'The light on your face is too bright. Move out of it, then try again.',
  too_far: 'Your face was too far away. Come closer to the camera, then try again.',
  too_near: 'Your face was too close. Move back from the camera, then try again.',
  face_cut_off: 'Part of your face was outside the picture. Move into the middle, then try again.',
  face_turned: 'Your face was turned away. Look straight at the camera, then try again.',
  moving: 'The picture was blurred because you moved. Hold still, then try again.',
  blurred: 'The picture was blurred. Clean the camera, keep at arm’s length, then try again.',
  /** Too little can be seen of it, for no reason that the SDK knows: something may cover it. */
  face_unclear: 'Your face could not be seen clearly. Take off what covers it, then try again.',
  offline: 'There is no connection to the service. Check your network, then try again.',
  timeout: 'The response took too long. Try again.',
  aborted: 'Stopped.',
  unexpected_answer: 'Something went wrong. Try again later.',
  /** The service refused the publishable key: it answered `unauthorized` to a request with the key. */
  key_refused: 'Sign-in is not set up on this page. Contact the site owner.',
  /** The call needs a session, but nobody is signed in or the token has expired. */
  not_signed_in: 'Sign in first.',
  /**
   * The person signed in by face, but the owner of the email address has not confirmed that face: this call needs a
   * sign-in by email code. The session stays.
   */
  email_code_needed: 'Sign in with an email code first, to show that this account is yours.',
  /** Anything else, of the page or the SDK. `cause` says what. */
  unknown_error: 'Something went wrong. Reload the page, or try again later.',
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
  headers_too_large: 'This site has stored too many cookies in your browser. Delete them, then try again.',
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
export const isApiCode = (code: string): code is ErrorCode => Object.keys(API_SENTENCES).includes(code);

/** After these, the same call fails again until the page, the browser or what was typed is another. */
const FINAL: ReadonlySet<FaceSignInErrorCode> = new Set<FaceSignInErrorCode>([
  'camera_forbidden',
  'camera_unsupported',
  'insecure_page',
  'browser_too_old',
  'aborted',
  'key_refused',
  'not_signed_in',
  'email_code_needed',
  'unknown_error',
  'invalid_request',
  'consent_required',
  'invalid_code',
  'unauthorized',
  'token_revoked',
  'origin_not_allowed',
  'test_limit_reached',
  'not_found',
  'method_not_allowed',
  'email_taken',
  'face_already_enrolled',
  'encoder_mismatch',
  'payload_too_large',
  'unsupported_media_type',
  'plan_limit_reached',
]);

/** A mistake in the page's code: an option or attribute that stops signing in. */
export class SetupError extends TypeError {}

export class FaceSignInError extends Error {
  override readonly name = 'FaceSignInError';
  readonly code: FaceSignInErrorCode;
  readonly detail: string | undefined;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  /** Whether trying again may help: what was wrong may pass, or the person can change it. */
  readonly retryable: boolean;
  readonly requestId: string | undefined;
  readonly plan: PlanUse | undefined;

  constructor(code: FaceSignInErrorCode, options: FaceSignInErrorOptions = {}) {
    super(SENTENCES[code], 'cause' in options ? { cause: options.cause } : {});
    this.code = code;
    this.detail = options.detail;
    this.status = options.status;
    this.retryAfter = options.retryAfter;
    this.retryable = options.retryable ?? !FINAL.has(code);
    this.requestId = options.requestId;
    this.plan = options.plan;
  }
}

/** Whether it is an error of the SDK: by name and code, not by class, because a page may have two copies of the SDK. */
export function isOwn(thrown: unknown): thrown is FaceSignInError {
  if (!(thrown instanceof Error) || thrown.name !== 'FaceSignInError') return false;
  return Object.keys(SENTENCES).includes(String((thrown as { code?: unknown }).code));
}

/** Whether this is an error of the SDK with this code. */
export function isErrorOf(error: unknown, code: FaceSignInErrorCode): error is FaceSignInError {
  return isOwn(error) && error.code === code;
}
