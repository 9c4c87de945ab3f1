/**
 * Which templates of loaded galleries do not open, and so are left out: somebody has altered the database outside the
 * service, or it is damaged. Known by their ids, so that one that is erased is not told of any more. Held by
 * test/domain/unreadable-templates.test.ts.
 */
import type { GalleryChanges, GalleryKey } from '../ports/matcher.ts';
import { nameOf } from './gallery-memory.ts';

/** Ids that are remembered of a gallery; of more only the number is known. */
const MOST_IDS = 1_000;

export interface Unreadable {
  readonly gallery: GalleryKey;
  readonly templates: number;
  /** When the first of them was met. */
  readonly since: number;
}

export interface UnreadableTemplates {
  /** The changes have been applied; a step from nothing begins anew. */
  applied(gallery: GalleryKey, changes: Pick<GalleryChanges, 'from' | 'removed' | 'unreadable'>): void;
  /** The gallery is gone. */
  forget(gallery: GalleryKey): void;
  list(): Unreadable[];
}

export function createUnreadableTemplates(now: () => number): UnreadableTemplates {
  const known = new Map<string, { gallery: GalleryKey; ids: Set<string>; more: number; since: number }>();
  return {
    applied(gallery, { from, removed, unreadable = [] }) {
      const name = nameOf(gallery);
      const before = known.get(name);
      const since = before?.since ?? now();
      const entry = from > 0 && before ? before : { gallery, ids: new Set<string>(), more: 0, since };
      for (const id of removed) entry.ids.delete(id);
      for (const id of unreadable) {
        if (entry.ids.size < MOST_IDS) entry.ids.add(id);
        else entry.more += 1;
      }
      if (entry.ids.size + entry.more === 0) known.delete(name);
      else known.set(name, entry);
    },
    forget: gallery => void known.delete(nameOf(gallery)),
    list: () =>
      [...known.values()].map(({ gallery, ids, more, since }) => ({
        gallery,
        templates: ids.size + more,
        since,
      })),
  };
}
