/** Names every request, for its answer and its log lines. Callers cannot choose the name. */
import type { Random } from '../ports/random.ts';

/** Unguessable start, counted on: unique without asking for randomness each time. */
export function requestIds(random: Random): () => string {
  const start = random.bytes(9).toString('base64url');
  let count = 0;
  return () => `req_${start}${(count++).toString(36).padStart(6, '0')}`;
}
