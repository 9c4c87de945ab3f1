/**
 * What apps' servers hear of. The verbs that change users and tokens write an event each, in their own step; this only
 * reads. Within an app and mode, `seq` follows the order of those steps, so a reader who has seen one never finds a
 * smaller new one; what is read is durable. Events are erased with their user, but for `user.deleted`. A restore moves
 * `seq` on by 1,000,000,000 and the milliseconds since the backup.
 */
import type { Told } from '../../protocol/outbox.ts';
import { sortable } from '../../protocol/time.ts';
import type { GalleryKey } from '../matcher.ts';
import type { Random } from '../system.ts';

/** The token that a step belongs to. It is signed when the step is done. */
export interface ComingToken {
  readonly jti: string;
  /** Milliseconds. */
  readonly expiresAt: number;
}

/** Begins with the time, so that new rows are added at the end of the index, and old ones are found by it. */
export const newOutboxId = (random: Random, at: number) =>
  `evt_${sortable(at)}${random.bytes(8).toString('hex')}`;

export type OutboxEvent = Told & {
  readonly id: string;
  readonly seq: number;
  readonly at: number;
};

/** Of an app and mode. */
interface OutboxState {
  /** Of the newest event; 0: there never was one. */
  readonly newest: number;
  /** Of the oldest event that is kept; null: none is. */
  readonly oldest: number | null;
}

/** Tokens that are no longer good. Times in milliseconds. */
export type Revocation = { readonly expiresAt: number } & (
  | { readonly kind: 'token'; readonly jti: string }
  | { readonly kind: 'user'; readonly userId: string; readonly issuedBefore: number }
  | { readonly kind: 'all'; readonly issuedBefore: number }
);

/** How far somebody has read the revocations of an app and mode. */
export interface RevocationPlace {
  readonly seq: number;
  /** `issuedBefore` of the last revocation of all tokens; 0: none. */
  readonly all: number;
}

export interface OutboxStore {
  outboxState(gallery: GalleryKey): Promise<OutboxState>;
  /**
   * Events after `seq`, in order; fewer than `limit`: there are no more. Rows that the store did not write are left
   * out.
   * @param types only these
   */
  outboxEvents(
    gallery: GalleryKey,
    after: number,
    limit: number,
    types?: readonly OutboxEvent['type'][],
  ): Promise<OutboxEvent[]>;
  /** The event with this id. Null: none is kept in this app and mode. */
  outboxEvent(gallery: GalleryKey, id: string): Promise<OutboxEvent | null>;
  /**
   * Revocations after a place that name tokens which may still be valid at `now`, with the place after them.
   * @param after null: from the beginning
   */
  revocations(
    gallery: GalleryKey,
    after: RevocationPlace | null,
    now: number,
  ): Promise<{ readonly revocations: readonly Revocation[]; readonly place: RevocationPlace }>;
  /**
   * The place of the newest revocation or event of each gallery, in the order given, in one read: who waits compares
   * it. It may come moments before what is read is durable.
   */
  outboxPlaces(galleries: readonly GalleryKey[]): Promise<RevocationPlace[]>;
}
