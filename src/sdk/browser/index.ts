/**
 * The entry of the browser SDK: `createClient`, its errors and its types. It has no dependencies. It keeps the token in
 * memory only, and sends descriptors, never pictures. Held by test/sdk/browser-package.long.test.ts.
 */
export type { CaptureOptions } from './capture/capture.ts';
export { createClient } from './client.ts';
export type {
  CaptureFunction,
  CaptureSettings,
  Client,
  ClientOptions,
  CodeSent,
  Consent,
  EmailSignedIn,
  Enrolled,
  EnrollOptions,
  FaceInput,
  OwnUser,
  Profile,
  Session,
  SignedIn,
  SignInOptions,
  TemplatesAdded,
  User,
  VerifiedUser,
  WithSignal,
} from './client-types.ts';
export {
  type DeviceErrorCode,
  FaceSignInError,
  type FaceSignInErrorCode,
  type FaceSignInErrorOptions,
  type PlanUse,
  SENTENCES,
} from './errors.ts';
export type {
  Captured,
  CaptureProgress,
  DetectedFace,
  FaceEncoder,
  Frame,
  Guide,
  Liveness,
  LivenessCheck,
  Point,
  Rated,
} from './types.ts';
