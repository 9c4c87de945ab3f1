/** What the scheduled jobs ask of the store. Batches are small, so that requests are not held up. */
import type { Mode } from '../../protocol/mode.ts';
import type { GalleryKey } from '../matcher.ts';

export interface UserPlace {
  readonly gallery: GalleryKey;
  readonly id: string;
}

export interface RetentionStore {
  /** Users of a mode who enrolled at or before the moment, oldest first. */
  usersEnrolledBefore(mode: Mode, moment: number, limit: number): Promise<UserPlace[]>;
  /** Users whose last sign-in (or enrolment, when there was none) was at or before the moment. */
  usersIdleSince(moment: number, limit: number): Promise<UserPlace[]>;
  /**
   * Erases the users as `deleteUser` does, in one step; answers how many there were.
   * @param events `deleted`: their events go too, instead of staying as events of nobody
   */
  deleteUsers(users: readonly UserPlace[], at: number, events?: 'anonymous' | 'deleted'): Promise<number>;
  /** Deletes at most `limit` events from before the moment; answers how many. */
  deleteEvents(before: number, limit: number): Promise<number>;
  /** Deletes revocations of tokens that have ended by themselves, expired codes, and windows that are over; answers how many. */
  deleteOutlived(now: number): Promise<number>;

  /** When jobs last ended, by name. */
  jobRuns(): Promise<ReadonlyMap<string, number>>;
  recordJobRun(name: string, at: number): Promise<void>;
}
