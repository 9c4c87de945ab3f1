/** What signed-in users do with their own account. Every verb is one atomic step. */
import type { GalleryKey, GalleryTemplate } from '../matcher.ts';
import type { OtherEncoder } from './encoders.ts';
import type { EventOrigin, OnBehalf, UserRecord } from './records.ts';
import type { Lockout, NewTemplate, Window } from './sign-in.ts';

export interface Profile {
  readonly user: UserRecord;
  readonly templateCount: number;
  readonly consent: { readonly policyVersion: string; readonly acceptedAt: number };
}

export interface OwnTemplates extends OnBehalf {
  readonly gallery: GalleryKey;
  readonly userId: string;
  readonly at: number;
  readonly templates: readonly NewTemplate[];
  /** The encoder of the templates; null: the caller did not name one. */
  readonly encoder: string | null;
  readonly origin: EventOrigin;
  /** The gallery sequence at which the faces were found to match this user, or nobody. */
  readonly sequence: number;
  /**
   * The most templates that the user may have in total: these are learned, and for them the oldest learned ones go, but
   * never enrolled ones. Null: these are enrolled, by a user who must have none.
   */
  readonly most: number | null;
}

/**
 * `faceConfirmedAt`: the user recognises the enrolled face as their own, so it is no longer in question. Verifies the
 * address, and revokes all tokens that say it is unverified; `issuedAt`, in milliseconds, is of the owner's own.
 * Changes nothing if it is already verified.
 */
type UserChange = OnBehalf &
  ({ readonly name: string } | { readonly faceConfirmedAt: number; readonly issuedAt: number });

export interface ProfileStore {
  /** Reads only. */
  profileOf(gallery: GalleryKey, id: string): Promise<Profile | null>;
  /** The user as stored then. Null if the user is gone. */
  updateUser(gallery: GalleryKey, id: string, change: UserChange): Promise<UserRecord | null>;
  /** Templates of the user's enrollment, without learned ones. Reads only. */
  enrolledTemplates(gallery: GalleryKey, userId: string): Promise<GalleryTemplate[]>;
  /**
   * Adds templates and advances the gallery sequence. `stale`: the gallery is no longer at `sequence`, so of many calls
   * at one sequence one stores. `has_some`: the user has a template, and `most` is null. Only templates that are
   * enrolled set the encoder of a gallery that remembers none.
   */
  addTemplates(
    own: OwnTemplates,
  ): Promise<
    | { outcome: 'stored'; templateCount: number }
    | { outcome: 'stale' | 'user_gone' | 'has_some' }
    | OtherEncoder
  >;
  /**
   * Records that the faces sent by the user did not match only this user. It is counted against the caller and the
   * user, but not in the usage. `window_full`: a window of the caller is full, and nothing is counted against the user.
   * `locked`: the user has added too many such faces, and it is counted only against the caller.
   */
  recordFailedAdd(failed: {
    readonly gallery: GalleryKey;
    readonly userId: string;
    readonly at: number;
    readonly origin: EventOrigin;
    /** The caller's failed matches; empty: not limited. */
    readonly failures: readonly Window[];
    /** The faces that this user, from any network, was refused. Null: not limited. */
    readonly refused: Window | null;
    readonly lockout: Lockout;
  }): Promise<{ outcome: 'recorded' | 'user_gone' } | { outcome: 'window_full' | 'locked'; endsAt: number }>;
}
