/**
 * Messages between the store and a thread that reads galleries. Types only; held by what reader.ts and thread.ts do
 * with them (test/sqlite/gallery-reader.test.ts).
 */
import type { GalleryChanges } from '../../../ports/matcher.ts';
import type { KeyRing } from '../../secrets/sealing.ts';
import type { Range } from '../../sql/gallery-reader.ts';

/** What a thread is started with. */
export interface ThreadSettings {
  readonly path: string;
  /** Device and number of the database's file: another file that lies in its place is not read. */
  readonly fileId: string;
}

/** Wanted are the changes themselves; with `count`, only how many templates they add. */
export type Job = Range & {
  readonly number: number;
} & (
    | { readonly what: 'count' }
    | {
        readonly what: 'page';
        /** Opens the gallery's templates. Handles: the keys' bytes are in no message. */
        readonly ring: KeyRing;
        readonly withRemoved: boolean;
        /** Whether a key that is not in the ring is none: what it has sealed is left out. */
        readonly isLast: boolean;
      }
  );

/** In place of a job: end, after the jobs that were asked for before. */
export const END = 'end';

export type Answer = { readonly number: number } & (
  | { readonly changes: GalleryChanges }
  | { readonly count: number }
  /** A template is sealed with a key that is not in the ring. */
  | { readonly isKeyUnknown: true }
  | {
      readonly error: string;
      /** The engine cannot work now, as against rows that are wrong. */
      readonly isEngineFault: boolean;
    }
);
