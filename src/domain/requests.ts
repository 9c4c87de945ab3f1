/** Requests to enroll and match, after the wire schemas have checked them. */

interface Liveness {
  readonly score?: number | undefined;
  readonly checks?: readonly string[] | undefined;
}

export interface MatchRequest {
  readonly challengeId: string;
  /** Each has 128 finite numbers and a norm of at least 1e-6. */
  readonly descriptors: readonly (readonly number[])[];
  /** The encoder of the descriptors, if the caller names it. */
  readonly encoder: string | undefined;
  /** Advisory: recorded, never treated as proof. */
  readonly liveness: Liveness | undefined;
}

export interface EnrollRequest extends MatchRequest {
  readonly email: string;
  readonly name: string;
  /** As sent: consent.ts decides whether it is valid. */
  readonly consent: unknown;
}
