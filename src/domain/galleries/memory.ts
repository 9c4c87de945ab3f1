/**
 * The memory budget of the loaded galleries: beyond it those go that were not used for longest. It drops none that is
 * being loaded, so that two of them do not drive each other out for ever, and never the one at hand.
 * test/domain/gallery-memory.test.ts holds it.
 */
import type { GalleryKey, Matcher } from '../../ports/matcher.ts';

/** Bytes of a template before any gallery has told. */
const FIRST_GUESS = 1_200;
/** Templates of which the matcher must hold so many before its bytes tell what one takes: it reserves in blocks. */
const TELLING = 4_096;
/** What part of the bytes of so many may be reserved in vain. */
const SLACK = 1.05;

export interface GalleryMemory {
  /** The gallery is used now. */
  touch(gallery: GalleryKey): void;
  isKnown(gallery: GalleryKey): boolean;
  templatesOf(gallery: GalleryKey): number;
  /** Whether the gallery by itself exceeds the budget, or will with so many templates. */
  exceeds(gallery: GalleryKey, templates?: number): boolean;
  /** Whether so many templates more fit without anybody's having to go. */
  hasRoomFor(templates: number): boolean;
  /** Drops what must go, and may. */
  makeRoom(atHand: GalleryKey, isLoading: (gallery: GalleryKey) => boolean): Promise<void>;
}

export function createGalleryMemory(matcher: Matcher, budgetBytes: number): GalleryMemory {
  /** Least recently used first. */
  const used = new Map<string, GalleryKey>();

  function heldOf(gallery: GalleryKey): { templates: number; bytes: number } {
    const name = nameOf(gallery);
    const held = matcher.stats().galleries.find(({ key }) => nameOf(key) === name);
    return held ?? { templates: 0, bytes: 0 };
  }

  return {
    touch(gallery) {
      const name = nameOf(gallery);
      used.delete(name);
      used.set(name, gallery);
    },

    isKnown: gallery => used.has(nameOf(gallery)),
    templatesOf: gallery => heldOf(gallery).templates,

    exceeds(gallery, expected = 0) {
      const { templates, bytes } = heldOf(gallery);
      if (bytes > budgetBytes) return true;
      return templates >= TELLING && (bytes / templates) * expected > budgetBytes * SLACK;
    },

    hasRoomFor(expected) {
      const { bytes, galleries } = matcher.stats();
      const templates = galleries.reduce((sum, gallery) => sum + gallery.templates, 0);
      const each = templates >= TELLING ? bytes / templates : FIRST_GUESS;
      return bytes + each * expected <= budgetBytes;
    },

    async makeRoom(atHand, isLoading) {
      for (const [name, gallery] of used) {
        if (matcher.stats().bytes <= budgetBytes) return;
        if (name === nameOf(atHand) || isLoading(gallery)) continue;
        used.delete(name);
        await matcher.drop(gallery);
      }
    },
  };
}

/** Mode first: its values are ours, so no app id can make two names the same. */
export function nameOf({ appId, mode }: GalleryKey): string {
  return `${mode}:${appId}`;
}
