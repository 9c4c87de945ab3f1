/**
 * A request breaks a rule of the service. The message is public: it names the field and the fix, and never a value, a
 * distance or a possible match. Details for the log only go into `cause`.
 */
import type { Clock } from '../ports/system.ts';
import type { ErrorCode, PlanLimitDetail } from '../protocol/errors.ts';

export interface RefusalExtras {
  /** Milliseconds until a retry makes sense; sent as Retry-After. */
  readonly retryAfter?: number;
  readonly plan?: PlanLimitDetail;
  /** Methods that the path supports. */
  readonly allow?: string;
  readonly cause?: unknown;
}

export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly extras: RefusalExtras;

  constructor(code: ErrorCode, message: string, extras: RefusalExtras = {}) {
    super(message, { cause: extras.cause });
    this.name = 'Refusal';
    this.code = code;
    this.extras = extras;
  }
}

/**
 * Waits for checks that were begun together, because each may ask a database on a network. Refused by the first that
 * refuses, in their order: all but the first must only read.
 */
export async function firstRefusal(...checks: readonly Promise<void>[]): Promise<void> {
  for (const check of checks) check.catch(() => undefined);
  for (const check of checks) await check;
}

/** The same message for every reason, so that it reveals nothing about the challenge. */
export function challengeInvalid(): Refusal {
  return new Refusal(
    'challenge_invalid',
    'The challenge is unknown, expired or used: it is valid for 60 seconds and one call. Request a new one for every call.',
  );
}

/** The app was deleted during the request. */
export function appGone(): Refusal {
  return new Refusal('unauthorized', 'The app of this key was deleted.');
}

export function emailTaken(field: 'email' | 'new_email' | 'code'): Refusal {
  return new Refusal('email_taken', `${field}: this app already has an account with this address`);
}

/** @param endsAt when the window ends that is full */
export function rateLimited({ clock }: { readonly clock: Clock }, message: string, endsAt: number): Refusal {
  return new Refusal('rate_limited', message, { retryAfter: endsAt - clock.now() });
}

/** The database or the matcher does not answer, or this node serves nobody. */
export function unavailable(retryAfter: number): Refusal {
  return new Refusal('service_unavailable', 'The service cannot answer now. Try again soon.', { retryAfter });
}
