import { usageOf } from '../../domain/usage.ts';
import type { usageQuery } from '../../protocol/queries.ts';
import type { Reply } from '../reply.ts';
import type { Input } from '../route.ts';

export async function getUsage({
  deps,
  caller,
  query,
}: Input<'secret', null, typeof usageQuery>): Promise<Reply> {
  const { month, auths, limit, enrolls, matchesOk, matchesFailed } = await usageOf(deps, caller, query.month);
  const livemode = caller.gallery.mode === 'live';
  const counts = { auths, limit, enrolls, matches_ok: matchesOk, matches_failed: matchesFailed };
  return { status: 200, body: { month, ...counts, livemode } };
}
