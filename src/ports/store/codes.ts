/**
 * Codes sent by email. A user has at most one pending code for sign-in and one for a change of address; a new code
 * replaces the old one. The store never gets the codes, only keyed hashes of them.
 */
import type { GalleryKey } from '../matcher.ts';
import type { ComingToken } from './outbox.ts';
import type { EventOrigin, OnBehalf, UserRecord } from './records.ts';
import type { AuthCount, AuthRefused, KnownNetwork, Lockout } from './sign-in.ts';

export interface NewCode {
  /** Distinguishes this code from older and newer ones of the user. */
  readonly id: string;
  readonly gallery: GalleryKey;
  readonly userId: string;
  readonly hash: string;
  readonly expiresAt: number;
}

export interface NewEmailChange extends NewCode, OnBehalf {
  /** The new address. */
  readonly email: string;
  /** The key of the failures counted against the new address. They pass to the user with it. */
  readonly lockoutKey: string;
}

export interface CodeAttempt {
  readonly gallery: GalleryKey;
  readonly hash: string;
  readonly at: number;
  /** The failures of the user, or of an address that is not registered. */
  readonly lockout: Lockout;
  readonly origin: EventOrigin;
}

export interface CodeStore {
  /** A change of address is refused if another user of the gallery has the address. */
  putCode(code: NewCode | NewEmailChange): Promise<'stored' | 'email_taken' | 'user_gone'>;
  /** Deletes this code, of either kind. A newer one stays. */
  retireCode(id: string): Promise<void>;

  /**
   * Tries a sign-in code. If a window of the lockout is full, the code is not checked (`locked`). If only the longer
   * one is full, and the user has signed in from this network, it is checked all the same, and a wrong one is `locked`
   * too. A wrong code is counted in the windows that are not full, and against the pending code, which allows five
   * wrong attempts. A right code is consumed: the auth is counted, the address verified, the network remembered and
   * the sign-in recorded; the returned user is verified. After `plan_limit` the code stays valid.
   * If this is the first verification of the address, the same step revokes the user's earlier tokens: those whose
   * sign-in or enrollment was stored before, even within the same second, but no later token. With `asksOwner` the user
   * stays unverified and the face is in question until the owner confirms it (`updateUser`), whatever later codes say:
   * every code then revokes the tokens that were issued so far with an unverified address, and counts as the first if
   * it has `asksOwner`. While the address is unverified, a right code also forgets the networks from which the user has
   * signed in: whoever enrolled the face may have been there.
   * The first code of all also ends a pending change of address: whoever enrolled the face may have requested it.
   * @param userId null: the address is not registered; failures are counted in the same way
   */
  useCode(
    attempt: CodeAttempt & {
      readonly userId: string | null;
      readonly auth: AuthCount;
      readonly token: ComingToken;
      readonly asksOwner?: boolean;
      /** The caller's network. */
      readonly known?: KnownNetwork | undefined;
    },
  ): Promise<
    | { outcome: 'signed_in'; user: UserRecord; firstVerification: boolean }
    | { outcome: 'wrong' }
    | { outcome: 'locked'; endsAt: number }
    | AuthRefused
  >;

  /**
   * Tries the code of a change of address. It is never refused because of the window. A right code applies the change:
   * the address is verified, and if none was before, tokens older than the caller's are revoked; sign-in codes sent to
   * the old address are deleted, and the failures of both addresses are counted together from then on. A face that is
   * in question stays so, unverified. After `email_taken` the change stays pending. `before`: the old address.
   */
  confirmEmailChange(
    attempt: CodeAttempt &
      OnBehalf & {
        readonly userId: string;
        /** When the caller's token was issued, in milliseconds: those from before are revoked. */
        readonly issuedAt: number;
      },
  ): Promise<
    | { outcome: 'applied'; user: UserRecord; before: string }
    | { outcome: 'wrong' | 'email_taken' | 'user_gone' }
  >;
}
