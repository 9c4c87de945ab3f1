/**
 * Events of an app and mode for pages: newest first, to older ones and to those that came since. Held by
 * test/portal/internal/events.test.ts.
 */
import type { GalleryKey } from '../../ports/matcher.ts';
import type { EventFilter, EventPosition, EventRecord } from '../../ports/store.ts';
import { openCursor, sealCursor } from '../cursors.ts';
import type { AdminDeps } from '../deps.ts';
import { invalid } from './fault.ts';

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

/** @throws OperatingFault invalid_request for a cursor of another app or mode */
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
