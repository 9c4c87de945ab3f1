/**
 * The memory budget of the loaded galleries. Beyond it, the least recently used galleries are dropped. A gallery that
 * is loading is never dropped, so two loads cannot push each other out forever. Nor is the gallery of the current
 * request. Held by test/domain/gallery-memory.test.ts.
 */
import type { GalleryKey, Matcher } from '../../ports/matcher.ts';

/** Bytes per template, assumed until enough are loaded to measure. */
const FIRST_GUESS = 1_200;
/** The matcher reserves memory in blocks, so bytes per template are measured only with this many templates. */
const FEWEST_TO_MEASURE = 4_096;
/** Tolerance for reserved memory that is unused. */
const SLACK = 1.05;

export interface GalleryMemory {
  /** Marks the gallery as used now. */
  touch(gallery: GalleryKey): void;
  isKnown(gallery: GalleryKey): boolean;
  templatesOf(gallery: GalleryKey): number;
  /** Whether the gallery alone exceeds the budget, or will with this many templates. */
  exceeds(gallery: GalleryKey, templates?: number): boolean;
  /** Whether this many more templates fit without dropping a gallery. */
  hasRoomFor(templates: number): boolean;
  /** Drops galleries until the budget is met, or none is left that may be dropped. */
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
      return templates >= FEWEST_TO_MEASURE && (bytes / templates) * expected > budgetBytes * SLACK;
    },

    hasRoomFor(expected) {
      const { bytes, galleries } = matcher.stats();
      const templates = galleries.reduce((sum, gallery) => sum + gallery.templates, 0);
      const each = templates >= FEWEST_TO_MEASURE ? bytes / templates : FIRST_GUESS;
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

/** Mode comes first: its values are fixed, so no app id can make two names equal. */
export function nameOf({ appId, mode }: GalleryKey): string {
  return `${mode}:${appId}`;
}
