/**
 * Codes sent by email. A user has at most one pending code to sign in and one pending change of address; a newer one
 * takes the older one's place. Codes themselves never reach the store, only keyed hashes.
 */
import type { GalleryKey } from '../matcher.ts';
import type { EventOrigin, UserRecord } from './records.ts';
import type { AuthCount, AuthRefused, Lockout } from './sign-in.ts';

export interface NewCode {
  /** Tells this code from an older or newer one of the user. */
  readonly id: string;
  readonly gallery: GalleryKey;
  readonly userId: string;
  readonly hash: string;
  readonly expiresAt: number;
}

export interface NewEmailChange extends NewCode {
  /** The address to be. */
  readonly email: string;
  /** Key of the failures counted against that address: they pass to the user with it. */
  readonly lockoutKey: string;
}

export interface CodeAttempt {
  readonly gallery: GalleryKey;
  readonly hash: string;
  readonly at: number;
  /** Failures of the user, or of the address that nobody has. */
  readonly lockout: Lockout;
  readonly origin: EventOrigin;
}

export interface CodeStore {
  /** Without regard to case. Null too where the stored address was altered outside the service. */
  findUserByEmail(gallery: GalleryKey, email: string): Promise<UserRecord | null>;

  /** False, with nothing stored, when the user is gone. */
  putCode(code: NewCode): Promise<boolean>;
  /** Another user of the gallery must not have the address. */
  putEmailChange(change: NewEmailChange): Promise<'stored' | 'email_taken' | 'user_gone'>;
  /** Deletes this code of either kind; a newer one stays. */
  retireCode(id: string): Promise<void>;

  /**
   * Tries a sign-in code. Refused before it is looked at when the window is full (`locked`). A wrong one is counted in
   * the window and against the pending code, whose fifth wrong attempt is its last. A right one is used up: the auth is
   * counted, the address verified, the sign-in recorded; the answered user is verified. After `plan_limit` the code is still good. Where that is the
   * first verification of the address, the same step revokes all tokens issued to the user before: those whose
   * sign-in or enrolment was stored earlier, in whatever second. No token of a later one is caught. With `asksOwner` the user
   * stays unverified until `confirmFace`, so that every code is a first one, and what is revoked are unproven tokens up to this moment.
   * @param userId null: nobody has the address, which is counted alike
   */
  useCode(
    attempt: CodeAttempt & {
      readonly userId: string | null;
      readonly auth: AuthCount;
      readonly asksOwner?: boolean;
    },
  ): Promise<
    | { outcome: 'signed_in'; user: UserRecord; firstVerification: boolean }
    | { outcome: 'wrong' }
    | { outcome: 'locked'; endsAt: number }
    | AuthRefused
  >;

  /**
   * Tries the code of a change of address, never refused for the window. A right one applies the change: address
   * verified, no token revoked, sign-in codes to the old address retired, failures of both addresses counted together from now on. After
   * `email_taken` the change is still pending.
   * `before`: the old address; null where it was altered outside the service.
   */
  confirmEmailChange(
    attempt: CodeAttempt & { readonly userId: string },
  ): Promise<
    | { outcome: 'applied'; user: UserRecord; before: string | null }
    | { outcome: 'wrong' | 'email_taken' | 'user_gone' }
  >;
}
