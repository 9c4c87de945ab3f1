/** Records that the store hands out. Times are milliseconds since the epoch. */
import type { Mode } from '../../protocol/mode.ts';

export { EVENT_TYPES, type EventType } from '../../protocol/operating/events.ts';

export interface AppRecord {
  readonly id: string;
  readonly name: string;
  readonly allowedOrigins: readonly string[];
  readonly firstParty: boolean;
  readonly plan: string;
  readonly createdAt: number;
}

export type KeyType = 'secret' | 'publishable';

export interface KeyRecord {
  readonly id: string;
  readonly appId: string;
  readonly type: KeyType;
  readonly mode: Mode;
  readonly last4: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** A key to be stored. The key itself never reaches the store, only its hash; and of that, only a keyed one the disk. */
export type NewKey = Omit<KeyRecord, 'revokedAt'> & { readonly hash: string };

/** What a key presented by a caller stands for. */
export interface Credential {
  readonly key: { readonly id: string; readonly type: KeyType; readonly mode: Mode };
  readonly app: AppRecord;
}

export interface UserRecord {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly emailVerified: boolean;
  readonly createdAt: number;
  readonly lastSignInAt: number | null;
}

/** Where a user stands in the order of creation. */
export type UserPosition = Pick<UserRecord, 'id' | 'createdAt'>;

/** What was counted in one month. */
export interface UsageCounts {
  readonly auths: number;
  readonly enrolls: number;
  readonly matchesOk: number;
  readonly matchesFailed: number;
}

/** Who asked, as the audit trail keeps it. Erased with the user it belongs to. */
export interface EventOrigin {
  readonly ip: string;
  readonly userAgent: string;
  readonly liveness: unknown;
}

export interface SigningKeyRecord {
  readonly kid: string;
  readonly publicJwk: { readonly kty: string; readonly crv: string; readonly x: string; readonly y: string };
  readonly createdAt: number;
  /** From this moment the key signs; before it the key is only published. */
  readonly signsAt: number;
  /** From this moment the key is no longer published; null while nothing replaces it. */
  readonly leavesAt: number | null;
}

export type NewSigningKey = Omit<SigningKeyRecord, 'leavesAt'> & { readonly privateJwk: object };
