import { issueChallenge } from '../../domain/challenges.ts';
import { iso } from '../../domain/time.ts';
import type { Reply } from '../reply.ts';
import type { Input } from '../route.ts';

export async function postChallenge({ deps, caller }: Input<'publishable', null>): Promise<Reply> {
  const { id, nonce, expiresAt } = await issueChallenge(deps, caller);
  return { status: 200, body: { challenge_id: id, nonce, expires_at: iso(expiresAt) } };
}
