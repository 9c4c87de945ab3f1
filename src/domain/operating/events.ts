/** The audit trail for operators: pages of events, and new events. Held by test/cli/events.test.ts. */
import type { EventFilter, EventPosition, EventRecord } from '../../ports/store.ts';
import { SECOND } from '../../protocol/limits.ts';
import type { AdminDeps } from '../deps.ts';
import { invalid } from './fault.ts';

export type { EventFilter, EventRecord } from '../../ports/store.ts';

interface EventsPage {
  /** Newest last. */
  readonly events: readonly EventRecord[];
  /** For the previous page; null when there is none. */
  readonly nextCursor: string | null;
}

/** Returns the last `limit` events, or with a cursor those before it. @throws OperatingFault */
export async function lastEvents(
  { store }: AdminDeps,
  filter: EventFilter,
  limit: number,
  cursor: string | null,
): Promise<EventsPage> {
  const before = cursor === null ? null : readCursor(cursor);
  const found = await store.listEvents(filter, before, limit + 1);
  const events = found.slice(0, limit).reverse();
  const [oldest] = events;
  return { events, nextCursor: found.length > limit && oldest ? `${oldest.at}.${oldest.id}` : null };
}

function readCursor(cursor: string): EventPosition {
  const [, at, id] = /^(\d{1,15})\.(evt_[\w-]{1,60})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw invalid('cursor', 'must be the next_cursor of a page of events');
  return { at: Number(at), id };
}

/** Events with the same time are not stored in the order of their ids, and the clocks of two processes may differ. */
const OVERLAP = 10 * SECOND;
const PAGE = 500;

/** Each call returns the events added since the previous call, oldest first. The first call returns none. */
export function eventWatch({ store }: AdminDeps, filter: EventFilter): () => Promise<EventRecord[]> {
  let seen: Map<string, number> | null = null;

  async function recent(): Promise<EventRecord[]> {
    const [newest] = await store.listEvents(filter, null, 1);
    if (!newest) return [];
    const newestSeen = seen && Math.max(0, ...seen.values());
    const since = (newestSeen || newest.at) - OVERLAP;
    const events: EventRecord[] = [];
    for (let before: EventPosition | null = null; ; before = events.at(-1) ?? null) {
      const page = await store.listEvents({ ...filter, since }, before, PAGE);
      events.push(...page);
      if (page.length < PAGE) return events.reverse();
    }
  }

  return async () => {
    const known = seen;
    const events = await recent();
    const added = known ? events.filter(({ id }) => !known.has(id)) : [];
    // Remember the events that the next call reads again, so that none is returned twice.
    seen = new Map(events.map(({ id, at }) => [id, at]));
    return added;
  };
}
