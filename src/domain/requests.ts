/** What enroll and match are asked, as the wire schemas deliver it. */

export interface Liveness {
  readonly score?: number | undefined;
  readonly checks?: readonly string[] | undefined;
}

export interface MatchRequest {
  readonly challengeId: string;
  /** Each 128 finite numbers of a norm of at least 1e-6. */
  readonly descriptors: readonly (readonly number[])[];
  /** What made the descriptors, when the caller says so. */
  readonly encoder: string | undefined;
  /** Advisory: recorded, never a proof. */
  readonly liveness: Liveness | undefined;
}

export interface EnrollRequest extends MatchRequest {
  readonly email: string;
  readonly name: string;
  /** As sent: whether it is consent is a rule, not a matter of form. */
  readonly consent: unknown;
}
