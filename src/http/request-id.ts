/** The id of every request, for its answer and its log lines. Callers cannot choose it. */
import type { Random } from '../ports/system.ts';

/** A random start, then a counter: unique ids without a call for randomness each time. */
export function requestIds(random: Random): () => string {
  const start = random.bytes(9).toString('base64url');
  let count = 0;
  return () => `req_${start}${(count++).toString(36).padStart(6, '0')}`;
}
