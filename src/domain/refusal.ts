/**
 * A rule of the service says no. The message is public: it names the field and the mend, never a value, a distance or
 * a candidate. What only the log may see goes into `cause`.
 */
import type { ErrorCode, PlanLimitDetail } from '../protocol/errors.ts';

export interface RefusalExtras {
  /** Milliseconds until it is worth trying again; answered as Retry-After. */
  readonly retryAfter?: number;
  readonly plan?: PlanLimitDetail;
  /** Methods that the path does have. */
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

/** One text for every reason, so that a challenge tells nothing about itself. */
export function challengeInvalid(): Refusal {
  return new Refusal(
    'challenge_invalid',
    'The challenge is unknown, expired or used: it is good for 60 seconds and for one use. Request a new one for every call.',
  );
}

/** The app was erased while the request was under way. */
export function appGone(): Refusal {
  return new Refusal('unauthorized', 'The app of this key was deleted.');
}
