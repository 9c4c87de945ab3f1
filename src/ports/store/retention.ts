/** What the scheduled jobs ask of the store. Batches are small, so that requests are not held up. */
import type { Mode } from '../../protocol/mode.ts';
import type { GalleryKey } from '../matcher.ts';

export interface UserPlace {
  readonly gallery: GalleryKey;
  readonly id: string;
}

export interface DeletionTerms {
  /** `deleted`: events of the users go too, instead of staying as events of nobody. */
  readonly events?: 'anonymous' | 'deleted';
  /** Spares those who signed in or enrolled after this moment. */
  readonly idleSince?: number;
}

export interface RetentionStore {
  /** Users of a mode who enrolled at or before the moment, oldest first. Those of an app that is still coming in are not meant. */
  usersEnrolledBefore(mode: Mode, moment: number, limit: number): Promise<UserPlace[]>;
  /** Users whose last sign-in (or enrolment, when there was none) was at or before the moment. */
  usersIdleSince(moment: number, limit: number): Promise<UserPlace[]>;
  /**
   * Removes what imports left that were interrupted, and nobody ever saw; answers how many apps. One that is under way is
   * left alone. The signal ends it between two steps.
   */
  dropUnfinishedImports(signal?: AbortSignal): Promise<number>;
  /** Erases the users as `deleteUser` does, in one step; answers how many there were. */
  deleteUsers(users: readonly UserPlace[], at: number, terms?: DeletionTerms): Promise<number>;
  /** Finishes erasures whose bytes are not gone yet, or that the journal lacks. Does nothing when there are none. */
  settleErasures(): Promise<void>;
  /** Deletes at most `limit` events from before the moment; answers how many. */
  deleteEvents(before: number, limit: number): Promise<number>;
  /**
   * Deletes at most `limit` revocations of tokens that have ended by themselves, expired codes and windows that are over;
   * answers how many.
   */
  deleteOutlived(now: number, limit: number): Promise<number>;

  /**
   * Forgets at most `limit` removals of templates from before the moment; answers how many. Who follows a gallery from
   * before them is told to begin anew.
   */
  pruneRemovals(before: number, limit: number): Promise<number>;
  /**
   * Forgets which users and apps were erased before the moment, here and in the journal, which says from then on how far it
   * reaches; answers how many. Exact beside erasures by others; killed anywhere, none of a later time is lost.
   */
  pruneErasures(before: number): Promise<number>;

  /** When jobs last ended, by name. */
  jobRuns(): Promise<ReadonlyMap<string, number>>;
  recordJobRun(name: string, at: number): Promise<void>;
}
