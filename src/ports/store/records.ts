/** Records that the store returns. Times are in milliseconds since the epoch. */

import type { appFields } from '../../protocol/app-fields.ts';
import type { Mode } from '../../protocol/mode.ts';
import type { RecordOf } from '../../protocol/view.ts';

export { EVENT_TYPES, type EventType } from '../../protocol/event-types.ts';

export type AppRecord = RecordOf<typeof appFields>;

/** What operators set. */
export type AppFields = Omit<AppRecord, 'id' | 'createdAt'>;

/** What came of a comparison whose nearest face was close. */
export type MatchOutcome = 'match' | 'no_match';

export type KeyType = 'secret' | 'publishable';

export interface KeyRecord {
  readonly id: string;
  readonly appId: string;
  readonly type: KeyType;
  readonly mode: Mode;
  readonly last4: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
  /** What operators call it. */
  readonly label: string | null;
  /** Id of an operator, or `command line`; null: a key from before. */
  readonly madeBy: string | null;
  /** The hour of the last use. */
  readonly lastUsedAt: number | null;
  /** The key is refused from this moment on. */
  readonly endsAt: number | null;
}

/** A key to store. The store never gets the key itself, only its hash, and writes only a keyed hash of that to disk. */
export type NewKey = Omit<KeyRecord, 'revokedAt' | 'lastUsedAt' | 'endsAt'> & { readonly hash: string };

/** The key and the app of a request's credential. */
export interface Credential {
  readonly key: {
    readonly id: string;
    readonly type: KeyType;
    readonly mode: Mode;
    /** The caller compares it with the clock: what is remembered must not outlive it. */
    readonly endsAt: number | null;
  };
  readonly app: AppRecord;
}

export interface UserRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly emailVerified: boolean;
  /**
   * A code proved the address, and its owner has not yet said whether the enrolled face is theirs. `emailVerified` is
   * false until then.
   */
  readonly faceInQuestion: boolean;
  readonly createdAt: number;
  readonly lastSignInAt: number | null;
}

/**
 * Part of each call that changes or deletes an account for the user. Whether the face is in question is decided in the
 * same atomic step as the change, because a code may be entered at any moment.
 */
export interface OnBehalf {
  /** By face. While it is in question, the call rejects with FaceInQuestion, and nothing took effect. */
  readonly byFace?: boolean;
}

/** Only the owner of the address may do this now, with a token from an email code. */
export class FaceInQuestion extends Error {
  constructor() {
    super('the enrolled face is in question');
    this.name = 'FaceInQuestion';
  }
}

/** The position of a user in order of creation. */
export type UserPosition = Pick<UserRecord, 'id' | 'createdAt'>;

/** The counts of one month. */
export interface UsageCounts {
  readonly auths: number;
  readonly enrolls: number;
  readonly matchesOk: number;
  readonly matchesFailed: number;
}

/** The sender of a request, for the audit trail. Erased with the user. */
export interface EventOrigin {
  readonly ip: string;
  readonly userAgent: string;
  readonly liveness: unknown;
}

export interface SigningKeyRecord {
  readonly kid: string;
  readonly publicJwk: { readonly kty: string; readonly crv: string; readonly x: string; readonly y: string };
  readonly createdAt: number;
  /** The key signs from this moment on. Before, it is only published. */
  readonly signsAt: number;
  /** The key is no longer published from this moment on. Null while it has no successor. */
  readonly leavesAt: number | null;
}

export const isPublished = ({ leavesAt }: SigningKeyRecord, now: number) =>
  leavesAt === null || leavesAt > now;

export type NewSigningKey = Omit<SigningKeyRecord, 'leavesAt'> & { readonly privateJwk: object };
