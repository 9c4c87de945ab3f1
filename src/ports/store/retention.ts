/** What the scheduled jobs do in the store. Batches are small, so that requests do not wait. */
import type { Mode } from '../../protocol/mode.ts';
import type { DeletionReason } from '../../protocol/outbox.ts';
import type { GalleryKey } from '../matcher.ts';
import type { Recording } from './audit.ts';
import type { OnBehalf } from './records.ts';

export interface UserPlace {
  readonly gallery: GalleryKey;
  readonly id: string;
}

export interface DeletionTerms extends OnBehalf {
  /** What those who hear of it are told. Default: `operator`. */
  readonly reason?: DeletionReason;
  /** `deleted`: events of the users are deleted too. `anonymous`: they stay, without the user. */
  readonly events?: 'anonymous' | 'deleted';
  /** Spares users who signed in or enrolled after this moment. */
  readonly idleSince?: number;
}

/** Rows that jobs delete once they are of no more use. */
export type Prunable =
  /** Expired challenges. */
  | 'challenges'
  /** Revocations of expired tokens, expired codes and ended windows. */
  | 'expired'
  /** Sessions that ended or were idle too long, ended links and used ceremonies of operators. */
  | 'operators'
  /** Events from before the moment, and whole days of counts. */
  | 'events'
  /**
   * Removals of templates from before the moment. A caller that follows a gallery from an earlier sequence is told to
   * load it again.
   */
  | 'removals'
  /** What integrators were told before the moment. */
  | 'outbox'
  /** What came of webhooks before the moment, and what an interrupted deletion or disabling has left. */
  | 'deliveries'
  /** The oldest entries of the audit log, from before the moment. */
  | 'audit'
  /**
   * Which users and apps were erased before the moment, here and in the journal, which then records how far back it
   * reaches: all at once, whatever the limit. Exact even beside other erasures. If interrupted, no later one is lost.
   */
  | 'erasures';

export interface RetentionStore {
  /**
   * Users who enrolled at or before the moment, oldest first, or who were idle since then: whose last sign-in (or
   * enrollment, if there was none) was at or before it. Users of an app that is still being imported are left out.
   */
  agedUsers(by: { readonly enrolled: Mode } | 'idle', moment: number, limit: number): Promise<UserPlace[]>;
  /**
   * Removes the data of interrupted imports, which nobody has seen. Returns the number of apps. A running import is
   * left alone. The signal stops it between two steps.
   */
  dropUnfinishedImports(signal?: AbortSignal): Promise<number>;
  /**
   * Erases users in one step: the rows, the templates (also in the gallery, with a new sequence), codes and consents.
   * Events lose all personal data, or are deleted; a tombstone stays. Returns how many there were.
   */
  deleteUsers(
    users: readonly UserPlace[],
    at: number,
    terms?: DeletionTerms,
    entry?: Recording,
  ): Promise<number>;
  /**
   * Finishes erasures whose bytes are not gone yet, or that are missing from the journal. Does nothing if there are
   * none.
   */
  settleErasures(): Promise<void>;
  /** Removes the rest of apps whose erasure was interrupted, unless there are none or another node does it. */
  finishErasures(): Promise<void>;
  /** Deletes at most `limit` rows that were over by the moment. Returns how many. */
  prune(what: Prunable, moment: number, limit: number): Promise<number>;

  /** The known time: the latest moment that the service has believed. Null: nothing was ever stored. */
  knownTime(): Promise<number | null>;
  /**
   * Raises the known time, unless the moment is more than `most` later.
   * @param most null: an operator says that the moment is right, earlier or later
   * @returns the known time
   */
  setKnownTime(moment: number, most: number | null, entry?: Recording): Promise<number>;

  /**
   * Ends what would last longer from now than anything of its kind may: it was written under a clock that ran ahead.
   * Windows begin anew by themselves. Revocations stay: such a token lasts as long.
   */
  endOverlong(now: number): Promise<void>;

  /** When each job last ended, by job name. */
  jobRuns(): Promise<ReadonlyMap<string, number>>;
  recordJobRun(name: string, at: number): Promise<void>;
}
