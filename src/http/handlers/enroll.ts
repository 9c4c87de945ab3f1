import { enrol } from '../../domain/enrolment.ts';
import type { enrollBody } from '../../protocol/bodies.ts';
import { type Reply, signedInReply } from '../reply.ts';
import type { Input } from '../route.ts';

export async function postEnroll({
  deps,
  caller,
  body,
}: Input<'publishable', typeof enrollBody>): Promise<Reply> {
  const { challenge_id: challengeId, email, name, descriptors, encoder, liveness, consent } = body;
  return signedInReply(
    201,
    await enrol(deps, caller, { challengeId, email, name, descriptors, encoder, liveness, consent }),
  );
}
