/**
 * Templates of loaded galleries that cannot be decrypted, and so are left out of searches: the database was altered
 * outside the service, or is damaged. They are known by sequence, so that an erased one is no longer reported. Held
 * by test/domain/unreadable-templates.test.ts.
 */
import type { GalleryChanges, GalleryKey } from '../../ports/matcher.ts';
import { nameOf } from './memory.ts';

/** Sequences remembered per gallery. Beyond this only the number is known. */
const MOST = 1_000;

export interface Unreadable {
  readonly gallery: GalleryKey;
  readonly templates: number;
  /** When the first of them was found. */
  readonly since: number;
}

interface UnreadableTemplates {
  /** Records changes that were applied. A step from sequence 0 starts over. */
  applied(gallery: GalleryKey, changes: Pick<GalleryChanges, 'from' | 'removed' | 'unreadable'>): void;
  /** The gallery no longer exists. */
  forget(gallery: GalleryKey): void;
  list(): Unreadable[];
}

export function createUnreadableTemplates(now: () => number): UnreadableTemplates {
  const known = new Map<string, { gallery: GalleryKey; ones: Set<number>; more: number; since: number }>();
  return {
    applied(gallery, { from, removed, unreadable = [] }) {
      const name = nameOf(gallery);
      const before = known.get(name);
      const since = before?.since ?? now();
      const entry = from > 0 && before ? before : { gallery, ones: new Set<number>(), more: 0, since };
      for (const one of removed) entry.ones.delete(one);
      for (const one of unreadable) {
        if (entry.ones.size < MOST) entry.ones.add(one);
        else entry.more += 1;
      }
      if (entry.ones.size + entry.more === 0) known.delete(name);
      else known.set(name, entry);
    },
    forget: gallery => void known.delete(nameOf(gallery)),
    list: () =>
      [...known.values()].map(({ gallery, ones, more, since }) => ({
        gallery,
        templates: ones.size + more,
        since,
      })),
  };
}
