/** What enrolment and sign-in ask of the store. Every verb is one atomic step; a refused one changes nothing. */
import type { GalleryChanges, GalleryKey } from '../matcher.ts';
import type { OtherEncoder } from './encoders.ts';
import type { EventOrigin, UsageCounts, UserPosition, UserRecord } from './records.ts';

/** A counter over a fixed window that begins with its first counted event. */
export interface Window {
  /** Names who is counted for what. Personal parts are keyed hashes. */
  readonly key: string;
  readonly limit: number;
  readonly length: number;
}

/** A window, and whose it is: it goes with the app; null: that of no app. */
export interface OwnedWindow extends Window {
  readonly appId: string | null;
}

/** Failures of one user: a window and, under `longerKey` of its key, a longer one. Full when either is. */
export interface Lockout extends Window {
  readonly longer?: Pick<Window, 'limit' | 'length'> | undefined;
}

export function longerKey(key: string): string {
  return `${key}:longer`;
}

export interface WindowState {
  readonly count: number;
  readonly endsAt: number;
}

/** One auth to be counted in a month, as long as the plan has one left (null: no limit). */
export interface AuthCount {
  readonly month: string;
  readonly limit: number | null;
}

/** Why no auth was counted: none left in the plan, or the app was erased while the request was under way. */
export type AuthRefused =
  | { readonly outcome: 'plan_limit'; readonly used: number }
  | { readonly outcome: 'app_gone' };

/** A template to be stored. */
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
  /** What made the templates; null: the caller did not say. */
  readonly encoder: string | null;
  readonly policyVersion: string;
  readonly origin: EventOrigin;
  readonly auth: AuthCount;
  /** Users that the gallery may hold in all; null: any number. */
  readonly maximumUsers: number | null;
  /** The gallery sequence at which the face was found to be new. */
  readonly sequence: number;
}

export type EnrolOutcome =
  | { readonly outcome: 'enrolled' | 'stale' | 'test_users_full' | 'email_taken' }
  | OtherEncoder
  | AuthRefused;

/** The challenge of the call was unknown, expired or used: nothing was counted. */
export interface ChallengeInvalid {
  readonly outcome: 'challenge_invalid';
}

export interface SignIn {
  readonly gallery: GalleryKey;
  /** Consumed in the same step. */
  readonly challengeId: string;
  /** By number. */
  readonly user: number;
  readonly at: number;
  readonly origin: EventOrigin;
  readonly auth: AuthCount;
  /**
   * Successful matches of a user, by id; null: not limited. Called inside the step, which an engine may repeat: so the
   * function only computes, and may be called several times. If it throws, the call rejects with that error and nothing
   * took effect.
   */
  readonly matchesOf: (userId: string) => Window | null;
}

export interface FailedMatch {
  readonly gallery: GalleryKey;
  /** Consumed in the same step; null when the call has consumed its challenge before. */
  readonly challengeId: string | null;
  /** `enroll`: the face of an enrolment was known already; counts no failed match in the usage. */
  readonly during: 'match' | 'enroll';
  readonly at: number;
  /** The user that the face came close to, by number, if any: the event is erased with that user. */
  readonly nearUser: number | null;
  readonly origin: EventOrigin;
  readonly auth: AuthCount;
  /** Failed matches of this caller; none: not limited. */
  readonly failures: readonly Window[];
  /** Failures of the near user; only counted here, never refused. */
  readonly lockout: Lockout | null;
}

/** Changes up to the sequence that the gallery had at the call. */
export interface GalleryLoad {
  /** How many templates they add; some may be gone when their page is read. */
  readonly templates: number;
  /**
   * In order. Ends early when the gallery is erased meanwhile. Whoever stops before the end says so (`return`, or the
   * end of a `for await`): pages that were read ahead are erased then.
   */
  readonly pages: AsyncIterable<GalleryChanges>;
}

export interface UsedGallery {
  readonly gallery: GalleryKey;
  /** Its sequence: it has no more templates than that. */
  readonly sequence: number;
}

export interface SignInStore {
  /** False, with nothing stored, when the app was erased meanwhile. */
  addChallenge(challenge: { id: string; gallery: GalleryKey; expiresAt: number }): Promise<boolean>;
  /** True for exactly one caller per challenge, and only before its end, in its own app and mode. Durable. */
  consumeChallenge(id: string, gallery: GalleryKey, now: number): Promise<boolean>;
  /** Whether `consumeChallenge` would be true now. Reads only: another call may be first. */
  challengeIsOpen(id: string, gallery: GalleryKey, now: number): Promise<boolean>;
  /** Deletes at most `limit` challenges past their end; answers how many. */
  deleteExpiredChallenges(now: number, limit: number): Promise<number>;

  /** Sequence of the last change of the gallery's templates; 0 for a gallery that never had any. */
  gallerySequence(gallery: GalleryKey): Promise<number>;
  /**
   * Changes after `since`, at most `limit` additions of them: the caller goes on from `to` until it is the
   * sequence. Applying the pages in order gives the gallery as stored; but where one `isBroken`, only from nothing on.
   */
  galleryChanges(gallery: GalleryKey, since: number, limit: number): Promise<GalleryChanges>;
  /** The same for many changes: read and opened beside the caller's thread, and ahead of the caller. */
  loadGallery(gallery: GalleryKey, since: number): Promise<GalleryLoad>;
  /** Galleries that have templates: first those with most auths since the beginning of `month`, without those of none. */
  usedGalleries(month: string): Promise<UsedGallery[]>;

  /** Whether step 9 refuses an enrolment now: room for test users first, then the email. Reads only. */
  enrolBlocker(
    gallery: GalleryKey,
    email: string,
    maximumUsers: number | null,
  ): Promise<'test_users_full' | 'email_taken' | null>;
  /**
   * Stores user, templates, consent and event, counts the auth, moves the gallery sequence, and has the gallery remember
   * the encoder where it remembers none. Refused for the first of these reasons:
   * `other_encoder`, what `enrolBlocker` says, `stale`, and that no auth can be counted. `stale` when the gallery is no longer at
   * `sequence`: a face may have been added since, so the caller searches again.
   */
  enrol(enrolment: Enrolment): Promise<EnrolOutcome>;
  /**
   * Consumes the challenge, counts auth and sign-in and sets the user's last sign-in. `user_gone` when the user was
   * deleted meanwhile: nothing is consumed or counted, the caller searches again. After `plan_limit` the challenge
   * stays used. `window_full` when the user has matched too often: challenge and auth stay used, nothing else is counted.
   */
  recordSignIn(
    signIn: SignIn,
  ): Promise<
    | { outcome: 'signed_in'; user: UserRecord }
    | { outcome: 'user_gone' }
    | { outcome: 'window_full'; endsAt: number }
    | ChallengeInvalid
    | AuthRefused
  >;
  /**
   * Consumes the challenge and counts the auth; then the failure, unless one of the caller's windows is full (`window_full`:
   * challenge and auth stay used).
   */
  recordFailedMatch(
    failed: FailedMatch,
  ): Promise<
    { outcome: 'recorded' } | { outcome: 'window_full'; endsAt: number } | ChallengeInvalid | AuthRefused
  >;

  /**
   * Counts one event, unless the window is full: exact under any burst. Survives a restart.
   * @param appId whose window it is: it goes with the app; null: that of no app
   */
  takeWindow(appId: string | null, window: Window, now: number): Promise<{ taken: boolean; endsAt: number }>;
  /**
   * Counts one event in all the windows, or in none: exact under any burst. Survives a restart.
   * `full`: the first, as given, that takes nothing: it is full, its limit is 0, or its app was erased. `endsAt`: when the
   * last of these ends.
   */
  takeWindows(
    windows: readonly OwnedWindow[],
    now: number,
  ): Promise<{ taken: true } | { taken: false; full: number; endsAt: number }>;
  /** The window's state, or null when none is open. Reads only. */
  peekWindow(key: string, now: number): Promise<WindowState | null>;
  /** All counts of the month; zeros when nothing was counted. Reads only. */
  usageOf(gallery: GalleryKey, month: string): Promise<UsageCounts>;

  findUser(gallery: GalleryKey, id: string): Promise<UserRecord | null>;
  /**
   * By the sequence of one of the user's templates in the gallery; null for any other number. The matcher's number of a
   * user is that of the first template that opens, which a row planted before it does not change. Reads only.
   */
  findUserByNumber(gallery: GalleryKey, number: number): Promise<UserRecord | null>;
  /** Users of the gallery. Reads only. */
  countUsers(gallery: GalleryKey): Promise<number>;
  /** By creation time, then id; from the beginning, or behind a position (whose user need not exist any more). */
  listUsers(gallery: GalleryKey, after: UserPosition | null, limit: number): Promise<UserRecord[]>;
  /**
   * Erases a user: the row, templates (from the gallery too, by a new sequence), codes and consent. Events lose everything
   * personal, a tombstone stays. False when unknown.
   */
  deleteUser(gallery: GalleryKey, id: string, at: number): Promise<boolean>;
}
