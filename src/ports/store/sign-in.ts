/**
 * What enrollment and sign-in do in the store. Every verb is one atomic step. A refused verb changes nothing, unless
 * its comment says so.
 */
import type { GalleryChanges, GalleryKey } from '../matcher.ts';
import type { OtherEncoder } from './encoders.ts';
import type { ComingToken } from './outbox.ts';
import type { EventOrigin, UsageCounts, UserRecord } from './records.ts';

/** A counter over a fixed window, which begins with the first counted event. */
export interface Window {
  /** Says what is counted, and for whom. Personal parts are keyed hashes. */
  readonly key: string;
  readonly limit: number;
  readonly length: number;
  /** How many events are counted at once: all of them or none. Default 1. With 0, the window must only have room. */
  readonly events?: number;
  /** How many must fit. Default: as many as are counted, at least 1. */
  readonly room?: number;
}

/** The count from which on the window has no room. Below 1: it never has any. */
export function fullAt({ limit, events = 1, room = Math.max(1, events) }: Window): number {
  return limit - room + 1;
}

/** A window and its app, with which it is erased. Null: it belongs to no app. */
export interface OwnedWindow extends Window {
  readonly appId: string | null;
}

/**
 * The failures of one user: a window, and a longer one of those from the caller's network, whose key begins with that
 * key and a colon. Full if either is full.
 */
export interface Lockout extends Window {
  readonly longer?: Window | undefined;
}

/** A network from which a user has signed in. */
export interface KnownNetwork {
  /** A keyed hash of user and network. */
  readonly network: string;
  /** When it is no longer known. */
  readonly endsAt: number;
}

export interface WindowState {
  readonly count: number;
  readonly endsAt: number;
}

/** One auth to count in a month, if the plan has any left (null: no limit). */
export interface AuthCount {
  readonly month: string;
  readonly limit: number | null;
}

/** Why no auth was counted: the plan has none left, or the app was erased during the request. */
export type AuthRefused =
  | { readonly outcome: 'plan_limit'; readonly used: number }
  | { readonly outcome: 'app_gone' };

/** A template to store. */
export interface NewTemplate {
  readonly id: string;
  /** 128 float32 numbers of norm 1. */
  readonly vector: Float32Array;
}

export interface Enrolment {
  readonly gallery: GalleryKey;
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly at: number;
  readonly templates: readonly NewTemplate[];
  /** The encoder of the templates; null: the caller did not name one. */
  readonly encoder: string | null;
  readonly policyVersion: string;
  readonly token: ComingToken;
  readonly origin: EventOrigin;
  readonly auth: AuthCount;
  /** Counted with the auth. Without room in each, there is no enrollment. */
  readonly limited?: readonly Window[] | undefined;
  /** The most users that the gallery may have; null: no limit. */
  readonly maximumUsers: number | null;
  /** The gallery sequence at which the face was found to be new. */
  readonly sequence: number;
}

type EnrolOutcome =
  | { readonly outcome: 'enrolled' | 'stale' | 'test_users_full' | 'email_taken' }
  | { readonly outcome: 'window_full'; readonly endsAt: number }
  | OtherEncoder
  | AuthRefused;

/** The challenge was unknown, expired or used. Nothing was counted. */
export interface ChallengeInvalid {
  readonly outcome: 'challenge_invalid';
}

interface Challenge {
  readonly id: string;
  readonly gallery: GalleryKey;
  readonly expiresAt: number;
}

export interface SignIn {
  readonly gallery: GalleryKey;
  /** Consumed in the same step. */
  readonly challengeId: string;
  /** The user's number, as in `UserKey`. */
  readonly user: number;
  readonly at: number;
  readonly token: ComingToken;
  readonly origin: EventOrigin;
  readonly auth: AuthCount;
  /**
   * The window of a user's successful matches, by user ID; null: not limited. It is called inside the step, which an
   * engine may repeat, so it must only compute. If it throws, the call rejects with that error and nothing is changed.
   */
  readonly matchesOf: (userId: string) => Window | null;
  /** The caller's failed faces. Without room in each, there is no sign-in. */
  readonly failures: readonly Window[];
  /** Counted, as far as they have room, if the auth is counted and the user is not signed in. */
  readonly limited?: readonly Window[] | undefined;
  /** The range of the nearest face's distance, which is counted for the day. */
  readonly distanceBin: number;
  /** The caller's network, for a user ID, to be remembered. Only computes, as above. */
  readonly networkOf?: ((userId: string) => KnownNetwork) | undefined;
}

export interface FailedMatch {
  readonly gallery: GalleryKey;
  /** Consumed in the same step. Null if the call has already consumed its challenge. */
  readonly challengeId: string | null;
  /** `enroll`: an enrollment sent a face that is already enrolled; the usage counts no failed match. */
  readonly during: 'match' | 'enroll';
  readonly at: number;
  /** The number of the user whose face was close, if any. The event is erased with that user. */
  readonly nearUser: number | null;
  /** The range of that user's distance, which is counted for the day. Null: not counted. */
  readonly distanceBin: number | null;
  readonly origin: EventOrigin;
  readonly auth: AuthCount;
  /** The caller's failed matches; empty: not limited. */
  readonly failures: readonly Window[];
  /** The failures of the near user. They are only counted here, never refused. */
  readonly lockout: Lockout | null;
}

export interface GalleryState {
  /** Of the last change of the gallery's templates. 0 if it never had any. */
  readonly sequence: number;
  /** The encoder that the gallery remembers; null: no encoder was named. */
  readonly encoder: string | null;
}

/** Changes up to the gallery's sequence at the time of the call. */
export interface GalleryLoad {
  /** The number of templates that they add. Some may be gone when their page is read. */
  readonly templates: number;
  /**
   * In order. Ends early if the gallery is erased meanwhile. A caller that stops early must call `return`, as `for
   * await` does, so that pages read ahead are erased.
   */
  readonly pages: AsyncIterable<GalleryChanges>;
}

export interface UsedGallery {
  readonly gallery: GalleryKey;
  /** Its sequence: it has no more templates than this. */
  readonly sequence: number;
}

/**
 * - `email`: case does not matter. No user is found whose stored address was altered outside the service.
 * - `number`: the sequence of any of the user's templates in the gallery. The matcher uses that of the first readable
 *   one, which a row planted before it does not change.
 */
export type UserKey = { readonly id: string } | { readonly email: string } | { readonly number: number };

export interface SignInStore {
  /** False, and nothing is stored, if the app was erased meanwhile. */
  addChallenge(challenge: Challenge): Promise<boolean>;
  /** True for exactly one caller per challenge, only before it expires, and only in its own app and mode. Durable. */
  consumeChallenge(id: string, gallery: GalleryKey, now: number): Promise<boolean>;
  /** Whether `consumeChallenge` would return true now. Reads only: another call may come first. */
  challengeIsOpen(id: string, gallery: GalleryKey, now: number): Promise<boolean>;

  /** Cached, but a change by another process takes effect at the next call. */
  galleryState(gallery: GalleryKey): Promise<GalleryState>;
  /**
   * Changes after `since`, with at most `limit` additions. The caller continues from `to` until that is the sequence.
   * Applying the pages in order gives the gallery as stored. If a page `isBroken`, that is true only when starting from
   * an empty gallery.
   */
  galleryChanges(gallery: GalleryKey, since: number, limit: number): Promise<GalleryChanges>;
  /** The same for many changes. Pages are read ahead of the caller; others have their turn between them. */
  loadGallery(gallery: GalleryKey, since: number): Promise<GalleryLoad>;
  /** Galleries that have templates and auths since the beginning of `month`, most auths first. */
  usedGalleries(month: string): Promise<UsedGallery[]>;

  /** Whether step 9 would refuse an enrollment now: first the limit of test users, then the email. Reads only. */
  enrolBlocker(
    gallery: GalleryKey,
    email: string,
    maximumUsers: number | null,
  ): Promise<'test_users_full' | 'email_taken' | null>;
  /**
   * Stores user, templates, consent and event, counts the auth and advances the gallery sequence. If the gallery
   * remembers no encoder, it remembers this one. Refused for the first of these reasons: `other_encoder`, a result of
   * `enrolBlocker`, `stale`, an auth that cannot be counted, or `window_full`: then only the auth is counted. `stale`:
   * the gallery is no longer at `sequence`. A face may have been added since, so the caller searches again.
   */
  enrol(enrolment: Enrolment): Promise<EnrolOutcome>;
  /**
   * Consumes the challenge, counts auth and sign-in, and sets the user's last sign-in. `user_gone`: the user was
   * deleted meanwhile; nothing is consumed or counted, and the caller searches again. `plan_limit`: the challenge stays
   * consumed. `window_full`: the user has matched too often; `failures_full`: a window of the caller has no room.
   * Challenge and auth stay consumed then, and nothing else is counted.
   */
  recordSignIn(
    signIn: SignIn,
  ): Promise<
    | { outcome: 'signed_in'; user: UserRecord }
    | { outcome: 'user_gone' }
    | { outcome: 'window_full'; endsAt: number }
    | { outcome: 'failures_full'; endsAt: number }
    | ChallengeInvalid
    | AuthRefused
  >;
  /**
   * Consumes the challenge, counts the auth and then the failure. `window_full`: a window of the caller is full;
   * challenge and auth stay consumed, and the failure is not counted.
   */
  recordFailedMatch(
    failed: FailedMatch,
  ): Promise<
    { outcome: 'recorded' } | { outcome: 'window_full'; endsAt: number } | ChallengeInvalid | AuthRefused
  >;

  /**
   * Counts in all windows, or in none. Exact under any burst. Survives a restart. `full`: the index of the first window
   * that refused, because it has no room, its limit is too low, or its app was erased. `endsAt`: when the last of
   * the refusing windows ends.
   */
  takeWindows(
    windows: readonly OwnedWindow[],
    now: number,
  ): Promise<{ taken: true } | { taken: false; full: number; endsAt: number }>;
  /**
   * The state of the window; null if none is open. Reads only.
   * @param length of the window, if it is known: one that ends farther away is not open
   */
  peekWindow(key: string, now: number, length?: number): Promise<WindowState | null>;
  /** All counts of the month; zeros if nothing was counted. Reads only. */
  usageOf(gallery: GalleryKey, month: string): Promise<UsageCounts>;

  /** Reads only. */
  findUser(gallery: GalleryKey, by: UserKey): Promise<UserRecord | null>;
  /** The number of users in the gallery. Reads only. */
  countUsers(gallery: GalleryKey): Promise<number>;
}
