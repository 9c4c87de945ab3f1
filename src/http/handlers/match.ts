import { signInByFace } from '../../domain/sign-in.ts';
import type { matchBody } from '../../protocol/bodies.ts';
import { type Reply, signedInReply } from '../reply.ts';
import type { Input } from '../route.ts';

export async function postMatch({
  deps,
  caller,
  body,
}: Input<'publishable', typeof matchBody>): Promise<Reply> {
  const { challenge_id: challengeId, descriptors, encoder, liveness } = body;
  const signedIn = await signInByFace(deps, caller, { challengeId, descriptors, encoder, liveness });
  return signedInReply(200, signedIn, { confidence: signedIn.confidence });
}
