/** What a signed-in user asks of the store about the own account. Every verb is one atomic step. */
import type { GalleryKey, GalleryTemplate } from '../matcher.ts';
import type { OtherEncoder } from './encoders.ts';
import type { EventOrigin, UserRecord } from './records.ts';
import type { Lockout, NewTemplate, Window } from './sign-in.ts';

export interface Profile {
  readonly user: UserRecord;
  readonly templateCount: number;
  readonly consent: { readonly policyVersion: string; readonly acceptedAt: number };
}

export interface OwnTemplates {
  readonly gallery: GalleryKey;
  readonly userId: string;
  readonly at: number;
  readonly templates: readonly NewTemplate[];
  /** What made the templates; null: the caller did not say. */
  readonly encoder: string | null;
  readonly origin: EventOrigin;
  /** The gallery sequence at which the faces were found to be the user's, or nobody's. */
  readonly sequence: number;
}

export interface LearnedTemplates extends OwnTemplates {
  /** Templates that the user may have in all. */
  readonly most: number;
}

export interface ProfileStore {
  /** Reads only. */
  profileOf(gallery: GalleryKey, id: string): Promise<Profile | null>;
  /** The user under the new name; null when gone. */
  renameUser(gallery: GalleryKey, id: string, name: string): Promise<UserRecord | null>;
  /**
   * The user's word that the enrolled face is theirs: verifies the address and revokes all tokens that say it is unproven. Changes
   * nothing where it is verified. The user as it is then; null when gone.
   */
  confirmFace(gallery: GalleryKey, id: string, at: number): Promise<UserRecord | null>;
  /** Templates of the user's enrolment, without the learned ones. Reads only. */
  enrolledTemplates(gallery: GalleryKey, userId: string): Promise<GalleryTemplate[]>;
  /**
   * Adds templates and moves the gallery sequence; beyond `most` the oldest learned ones go, enrolled ones never.
   * `stale` when the gallery is no longer at `sequence`.
   */
  addLearned(
    learned: LearnedTemplates,
  ): Promise<
    { outcome: 'stored'; templateCount: number } | { outcome: 'stale' | 'user_gone' } | OtherEncoder
  >;
  /**
   * Stores enrolled templates of a user who has no template, moves the gallery sequence, and has the gallery remember the
   * encoder where it remembers none. `stale` when the gallery is no longer at `sequence`: so of many calls for one user at most
   * one stores. `has_some` when the user has a template.
   */
  addFirst(
    first: OwnTemplates,
  ): Promise<
    | { outcome: 'stored'; templateCount: number }
    | { outcome: 'stale' | 'user_gone' | 'has_some' }
    | OtherEncoder
  >;
  /**
   * Records that faces sent by the user were not the user's alone: counted against caller and user, and in no usage. `window_full`
   * when one of the caller's is: then the user's are not counted. `locked` when the user's of the longer window are full: then
   * they are counted for the caller only.
   */
  recordFailedAdd(failed: {
    readonly gallery: GalleryKey;
    readonly userId: string;
    readonly at: number;
    readonly origin: EventOrigin;
    /** Failed matches of this caller; none: not limited. */
    readonly failures: readonly Window[];
    readonly lockout: Lockout;
  }): Promise<{ outcome: 'recorded' | 'user_gone' } | { outcome: 'window_full' | 'locked'; endsAt: number }>;
}
