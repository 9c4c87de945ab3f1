/** Signing keys and revoked tokens. */
import type { GalleryKey } from '../matcher.ts';
import type { Recording } from './audit.ts';
import type { ComingToken } from './outbox.ts';
import type { NewSigningKey, SigningKeyRecord } from './records.ts';

interface Rotation {
  readonly now: number;
  /** How long a replaced key stays published after the new one signs. */
  readonly keep: number;
  /** Removes all older keys from the set at once. */
  readonly revokeOld: boolean;
}

/** The claims of a token that decide whether it is still valid. */
export interface TokenFacts {
  readonly jti: string;
  /** The ID of the user. */
  readonly sub: string;
  /** Seconds since the epoch. */
  readonly iat: number;
  /** Whether the user's address was verified when the token was issued. */
  readonly email_verified: boolean;
}

export interface TokenStore {
  /** The keys that are published at `now`, oldest first: at most two. */
  signingKeys(now: number): Promise<SigningKeyRecord[]>;
  /** The decrypted private key. Null if unknown. */
  openSigningKey(kid: string): Promise<object | null>;
  /**
   * Returns whether it stored the key: without a rotation only if there is none, with one only if a single key is
   * published, or `revokeOld`. Forgets keys that have left the set. `revokeOld` erases the older ones. If the call then
   * rejects, do not repeat it, because that would replace the new key too. The bytes of the old keys are then erased
   * with the next erasure.
   */
  addSigningKey(key: NewSigningKey, rotation: Rotation | null, entry?: Recording): Promise<boolean>;

  /**
   * Revokes the user's token until it expires, and tells of the sign-out. False if it was already revoked: of many
   * callers one gets true.
   */
  revokeToken(
    gallery: GalleryKey,
    token: ComingToken & { readonly userId: string },
    at: number,
  ): Promise<boolean>;
  /**
   * `revoked`: the token was revoked, is from before the first verification of its user's address (`useCode`), or is
   * from before the database was restored. A revocation outlives the user, so it comes before `user_missing`.
   */
  tokenStanding(gallery: GalleryKey, token: TokenFacts): Promise<'good' | 'revoked' | 'user_missing'>;
}
