/**
 * How many faces a request shows. Descriptors nearer to each other than threshold plus margin are one face, directly or
 * over others of the request, as the pictures of one capture are. Limits count faces: one request could otherwise try
 * five people. Held by test/domain/faces.test.ts.
 */
import type { Deps } from './deps.ts';
import { distance, normalised } from './distance.ts';
import type { MatchRequest } from './requests.ts';

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
