/**
 * Messages between the store and a thread that reads galleries. Types only; held by test/sqlite/gallery-reader.test.ts.
 */
import type { GalleryChanges } from '../../../ports/matcher.ts';
import type { PlacedUser } from '../../../ports/store.ts';
import type { Opener } from '../../secrets/sealing.ts';
import type { Range, UserSearch } from '../../sql/gallery-reader.ts';

/** Start data of a thread. */
export interface ThreadSettings {
  readonly path: string;
  /** Device and inode of the database file: a file that replaced it is not read. */
  readonly fileId: string;
  /** Whether it leaves the processor to others. */
  readonly isGentle: boolean;
}

/**
 * `page` asks for the changes themselves, `count` for how many templates they add, `search` for users. Keys are key
 * objects: messages do not contain their bytes.
 */
export type Job = { readonly number: number } & (
  | (Range & { readonly what: 'count' })
  | (UserSearch & Opener & { readonly what: 'search' })
  | (Range & Opener & { readonly what: 'page'; readonly withRemoved: boolean })
);

/** Sent instead of a job: end after all earlier jobs. */
export const END = 'end';

export type Answer = { readonly number: number } & (
  | { readonly changes: GalleryChanges }
  | { readonly count: number }
  | { readonly users: PlacedUser[] }
  /** A key that is needed is not in the ring. */
  | { readonly isKeyUnknown: true }
  | {
      readonly error: string;
      /** The engine cannot work now. False: the rows are wrong. */
      readonly isEngineFault: boolean;
    }
);
