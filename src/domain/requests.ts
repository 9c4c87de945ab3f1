/** Requests to enroll and match, after the wire schemas have checked them, and how many faces they show. */
import type { Deps } from './deps.ts';
import { distance, normalised } from './distance.ts';

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
  /** As sent: requireConsent decides whether it is valid. */
  readonly consent: unknown;
}

/**
 * How many faces a request shows. Descriptors nearer to each other than threshold plus margin are one face, directly or
 * over others of the request, as the pictures of one capture are. Limits count faces: one request could otherwise try
 * five people. Held by test/domain/faces.test.ts.
 */
export function facesIn(
  { settings: { matchThreshold, matchMargin } }: Pick<Deps, 'settings'>,
  { descriptors }: Pick<MatchRequest, 'descriptors'>,
): number {
  let unseen = descriptors.map(normalised);
  let faces = 0;
  while (unseen.length > 0) {
    const face = unseen.splice(0, 1);
    for (const one of face) {
      const isOfFace = (other: Float32Array) => distance(one, other) < matchThreshold + matchMargin;
      face.push(...unseen.filter(isOfFace));
      unseen = unseen.filter(other => !isOfFace(other));
    }
    faces += 1;
  }
  return faces;
}
