/** The main entry of the package. Each middleware is a separate entry, so that it brings only its own types. */
export type { CallOptions } from './abort.ts';
export type { PageOptions, Usage, User, UserPage, Users } from './api.ts';
export type { UserTokenClaims, VerifiedClaims } from './claims.ts';
export {
  isVerificationError,
  ServiceError,
  type ServiceErrorCode,
  type VerificationCode,
  VerificationError,
} from './errors.ts';
export type { EventPage, EventQuery, Events, ServiceEvent } from './events.ts';
export type { RevocationOptions, VerifierOptions } from './options.ts';
export { createVerifier, type Verifier, type VerifyOptions } from './verifier.ts';
export {
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
  type WebhookEvent,
  type WebhookHeaders,
} from './webhook.ts';
