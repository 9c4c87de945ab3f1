/** Signing keys and revoked tokens. */
import type { GalleryKey } from '../matcher.ts';
import type { NewSigningKey, SigningKeyRecord } from './records.ts';

export interface Rotation {
  readonly key: NewSigningKey;
  readonly now: number;
  /** How long a replaced key stays published after the new one signs. */
  readonly keep: number;
  /** Takes every older key out of the set at once. */
  readonly revokeOld: boolean;
}

/** Claims of a token that its standing hangs on. */
export interface TokenFacts {
  readonly jti: string;
  /** The user. */
  readonly sub: string;
  /** Seconds since the epoch. */
  readonly iat: number;
  /** Whether the address of the user was proven when the token was issued. */
  readonly email_verified: boolean;
}

export interface TokenStore {
  /** Keys that are published at `now`, oldest first: at most two. */
  signingKeys(now: number): Promise<SigningKeyRecord[]>;
  /** The private half, opened from its sealed form. Null when unknown. */
  openSigningKey(kid: string): Promise<object | null>;
  /** Stores the key only where none is; answers whether it did. */
  addFirstSigningKey(key: NewSigningKey): Promise<boolean>;
  /**
   * `too_soon` when two keys are published already, unless `revokeOld`. Forgets keys that left the set. With
   * `revokeOld` it erases the older ones. Calling it again after a rejection would replace the new key too: their bytes go
   * with the next erasure.
   */
  rotateSigningKey(rotation: Rotation): Promise<'rotated' | 'too_soon'>;

  /** Denies the token with this id until its natural end. False when it was denied already: of many callers one gets true. */
  revokeToken(jti: string, expiresAt: number): Promise<boolean>;
  /**
   * `revoked`: the token was denied, it is from before the first verification of its user's address (`useCode`), or from before the
   * database was restored. It outlives the user, so it comes before `user_missing`.
   */
  tokenStanding(gallery: GalleryKey, token: TokenFacts): Promise<'good' | 'revoked' | 'user_missing'>;
}
