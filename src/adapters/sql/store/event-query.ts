/**
 * The statement that reads the audit trail with a filter. A filter by user uses the index of users; one by app uses the
 * index of galleries, once for every mode and type, because there are few; all others use the index of time. All stop
 * at the limit. Held by test/sqlite/plans.ts.
 */
import {
  EVENT_TYPES,
  type EventFilter,
  type EventPosition,
  type EventType,
  type Order,
} from '../../../ports/store.ts';
import { MODES, type Mode } from '../../../protocol/mode.ts';
import type { Value } from '../driver.ts';
import { NOT_IMPORTING } from './imports.ts';

export const EVENT = 'id, app_id, mode, user_id, type, at, sealed';

export interface EventQuery {
  readonly text: string;
  readonly values: Value[];
}

export function eventQuery(
  filter: EventFilter,
  position: EventPosition | null,
  limit: number,
  order: Order,
): EventQuery {
  const values: Value[] = [];
  const value = (given: Value) => `$${values.push(given)}`;
  const terms = [NOT_IMPORTING];
  const { appId, mode, userId, type, since, until } = filter;
  // A user has few events. `|| ''` keeps the planner from the index of galleries, which has many.
  const beside = (column: string) => (userId === undefined ? column : `${column} || ''`);
  if (userId !== undefined) terms.push(`user_id = ${value(userId)}`);
  if (appId !== undefined) terms.push(`${beside('app_id')} = ${value(appId)}`);
  // Always present: without it the query planner would read and sort the whole table.
  terms.push(`at >= ${value(since ?? Number.MIN_SAFE_INTEGER)}`);
  if (until !== undefined) terms.push(`at < ${value(until)}`);
  const [beyond, direction] = order === 'oldest' ? ['>', 'ASC'] : ['<', 'DESC'];
  // The first term is for the index, the second for events of the same moment.
  if (position) {
    terms.push(`at ${beyond}= ${value(position.at)}`);
    terms.push(`(at, id) ${beyond} (${value(position.at)}, ${value(position.id)})`);
  }
  const most = value(limit);
  const sorted = `ORDER BY at ${direction}, id ${direction} LIMIT ${most}`;
  const select = (...more: string[]) =>
    `SELECT ${EVENT} FROM auth_events WHERE ${[...terms, ...more].join(' AND ')} ${sorted}`;
  const isMode = (name: Mode) => `${beside('mode')} = ${value(name)}`;
  const isType = (name: EventType) => `${beside('type')} = ${value(name)}`;
  if (appId === undefined || userId !== undefined) {
    const more = [
      ...(mode === undefined ? [] : [isMode(mode)]),
      ...(type === undefined ? [] : [isType(type)]),
    ];
    return { text: select(...more), values };
  }
  const lists = (mode === undefined ? MODES : [mode]).flatMap(inMode =>
    (type === undefined ? EVENT_TYPES : [type]).map(ofType => select(isMode(inMode), isType(ofType))),
  );
  const [only, ...others] = lists as [string, ...string[]];
  if (others.length === 0) return { text: only, values };
  const all = lists.map(list => `SELECT * FROM (${list}) AS one_list`).join(' UNION ALL ');
  return { text: `SELECT ${EVENT} FROM (${all}) AS lists ${sorted}`, values };
}
