/** The audit trail for operators: pages of events, and new events. Held by test/cli/events.test.ts. */

import type { GalleryKey } from '../../ports/matcher.ts';
import type { EventFilter, EventPosition, EventRecord } from '../../ports/store.ts';
import { SECOND } from '../../protocol/limits.ts';
import { openCursor, sealCursor } from '../cursors.ts';
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
const WATCHED = 500;

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
      const page = await store.listEvents({ ...filter, since }, before, WATCHED);
      events.push(...page);
      if (page.length < WATCHED) return events.reverse();
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

const PAGE = 50;
const BEGINNING: EventPosition = { at: 0, id: '' };

interface EventPage {
  /** Newest first. */
  readonly events: readonly EventRecord[];
  /** For the page of older events; null when there is none. */
  readonly before: string | null;
  /** For what comes after the newest event of this page. */
  readonly after: string;
}

/**
 * Events of an app and mode for pages: newest first, to older ones and to those that came since. Held by
 * test/portal/internal/events.test.ts.
 * @throws OperatingFault invalid_request for a cursor of another app or mode
 */
export async function eventPage(
  deps: Pick<AdminDeps, 'store' | 'secrets'>,
  gallery: GalleryKey,
  filter: Omit<EventFilter, 'appId' | 'mode'>,
  side: { readonly before?: string | undefined; readonly after?: string | undefined },
): Promise<EventPage> {
  const { store, secrets } = deps;
  const list = { purpose: 'events-cursor', of: `${gallery.appId}\0${gallery.mode}` };
  const write = ({ at, id }: EventPosition) => sealCursor(secrets, list, { at, id });
  const read = (field: 'before' | 'after', cursor: string): EventPosition => {
    const position = openCursor<EventPosition>(secrets, list, cursor);
    if (!position) throw invalid('cursor', `is not the "${field}" of a page of events of this app and mode`);
    return position;
  };
  const all = { ...filter, ...gallery };
  if (side.after !== undefined) {
    const events = (await store.listEvents(all, read('after', side.after), PAGE, 'oldest')).reverse();
    const [newest, oldest] = [events[0], events.at(-1)];
    return { events, before: oldest ? write(oldest) : null, after: newest ? write(newest) : side.after };
  }
  const from = side.before === undefined ? null : read('before', side.before);
  // One more than a page, to see whether there is another one.
  const found = await store.listEvents(all, from, PAGE + 1);
  const events = found.slice(0, PAGE);
  const oldest = events.at(-1);
  return {
    events,
    before: found.length > PAGE && oldest ? write(oldest) : null,
    after: write(events[0] ?? from ?? BEGINNING),
  };
}
