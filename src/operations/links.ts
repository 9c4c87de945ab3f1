import { type MadeLink, purposeOf } from '../domain/operators/links.ts';
import type { oneTimeLink } from '../protocol/portal/answers/operators.ts';
import { iso } from '../protocol/time.ts';
import type { Shown } from './table/operation.ts';

/** The only answer that has a link's token. */
export function linkOf({ url, token, record }: MadeLink): Shown<typeof oneTimeLink> {
  return { url, token, purpose: purposeOf(record), expires_at: iso(record.expiresAt) };
}
