import type { Reply } from '../reply.ts';
import type { Input } from '../route.ts';

export async function getJwks({ deps }: Input<'open', null>): Promise<Reply> {
  const keys = await deps.signingKeys.published();
  const body = { keys: keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: 'ES256', use: 'sig' })) };
  return { status: 200, body, cacheControl: 'public, max-age=300' };
}
