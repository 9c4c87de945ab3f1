import { verifyToken } from '../../domain/tokens/verify.ts';
import type { verifyTokenBody } from '../../protocol/bodies.ts';
import type { Reply } from '../reply.ts';
import type { Input } from '../route.ts';

export async function postVerifyToken({
  deps,
  caller,
  body,
}: Input<'secret', typeof verifyTokenBody>): Promise<Reply> {
  return { status: 200, body: await verifyToken(deps, caller, body.token) };
}
