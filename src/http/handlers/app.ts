import type { Reply } from '../reply.ts';
import type { Input } from '../route.ts';

export async function getApp({ caller }: Input<'secret', null>): Promise<Reply> {
  const { id, name } = caller.app;
  return { status: 200, body: { id, name } };
}
