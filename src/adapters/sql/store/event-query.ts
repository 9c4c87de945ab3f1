/**
 * The statement that reads the audit trail with a filter. A filter by user uses the index of users; all others use the
 * index of time, newest first, and stop at the limit. Held by test/sqlite/plans.ts.
 */
import type { EventFilter, EventPosition } from '../../../ports/store.ts';
import type { Value } from '../driver.ts';
import { NOT_IMPORTING } from './imports.ts';

export const EVENT = 'id, app_id, mode, user_id, type, at, ip, user_agent, liveness';

export function eventQuery(
  filter: EventFilter,
  before: EventPosition | null,
  limit: number,
): { text: string; values: Value[] } {
  const values: Value[] = [];
  const value = (given: Value) => `$${values.push(given)}`;
  const terms = [NOT_IMPORTING];
  const { appId, mode, userId, type, since, until } = filter;
  if (userId !== undefined) terms.push(`user_id = ${value(userId)}`);
  if (appId !== undefined) terms.push(`app_id = ${value(appId)}`);
  if (mode !== undefined) terms.push(`mode = ${value(mode)}`);
  if (type !== undefined) terms.push(`type = ${value(type)}`);
  // Always present: without it the query planner would read and sort the whole table.
  terms.push(`at >= ${value(since ?? Number.MIN_SAFE_INTEGER)}`);
  if (until !== undefined) terms.push(`at < ${value(until)}`);
  // The first term is for the index, the second for events of the same moment.
  if (before) {
    terms.push(`at <= ${value(before.at)}`);
    terms.push(`(at, id) < (${value(before.at)}, ${value(before.id)})`);
  }
  const text = `SELECT ${EVENT} FROM auth_events WHERE ${terms.join(' AND ')} ORDER BY at DESC, id DESC LIMIT ${value(limit)}`;
  return { text, values };
}
