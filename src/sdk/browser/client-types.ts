/**
 * What the client takes and gives. Types only: client.ts does it. Times are `Date`s; every verb rejects with a
 * FaceSignInError and with nothing else. Held by test/sdk/browser-client.test.ts.
 */
import type { CaptureOptions } from './capture/capture.ts';
import type { Captured, FaceEncoder, Liveness } from './types.ts';

/** Makes descriptors and liveness, and rejects with a FaceSignInError. */
export type CaptureFunction = (options: CaptureOptions) => Promise<Captured>;

export interface ClientOptions {
  /** `svc_pk_live_…` or `svc_pk_test_…`. Never a secret key. */
  readonly publishableKey: string;
  /** Address of the service, such as `https://signin.example.com`; a path is kept, a trailing slash does not matter. */
  readonly baseUrl: string | URL;
  /** Finds and describes faces. Not needed where descriptors are always given. */
  readonly encoder?: FaceEncoder | undefined;
  /** Makes descriptors from the camera; the SDK's own unless told. */
  readonly capture?: CaptureFunction | undefined;
  /** Milliseconds that an answer may take, each; usually 15,000. */
  readonly timeout?: number | undefined;
  /** For first-party apps: the session cookie is kept, and `signOut` works with it alone. Other apps' pages fail with it. */
  readonly firstParty?: boolean | undefined;
  /** In place of the global `fetch`: outside a browser it adds the `Origin` header. */
  readonly fetch?: typeof fetch | undefined;
}

export interface WithSignal {
  /** Stops the verb with `aborted`. What has reached the service by then may have been done. */
  readonly signal?: AbortSignal | undefined;
}

/** How the camera is used: what goes to the capture function, with usual values for what is left out. */
export type CaptureSettings = {
  readonly [Key in Exclude<keyof CaptureOptions, 'encoder' | 'signal'>]?: CaptureOptions[Key] | undefined;
};

/** A face: descriptors that are there already, or else those that the client captures now. */
export interface FaceInput extends WithSignal {
  /** Lists of 128 finite numbers, plain or typed arrays. With these nothing is captured. */
  readonly descriptors?: readonly ArrayLike<number>[] | undefined;
  /** What made the `descriptors`: as `FaceEncoder.id`, which goes along with a capture by itself. */
  readonly encoder?: string | undefined;
  /** Goes with `descriptors`; a capture makes its own. */
  readonly liveness?: Partial<Liveness> | undefined;
  /** Default: to enroll, 3 to 5 descriptors of pictures that differ (`variety: true`); for the rest, 1. */
  readonly capture?: CaptureSettings | undefined;
}

export interface Consent {
  /** Names the notice that was shown, in 1 to 100 characters. */
  readonly policyVersion: string;
  /** Whether the person has accepted it; anything but true is refused. */
  readonly accepted: boolean;
}

/** At most 5 descriptors. */
export interface EnrollOptions extends FaceInput {
  readonly email: string;
  /** Display name, at most 200 characters. */
  readonly name?: string | undefined;
  readonly consent: Consent;
}

export interface User {
  /** `usr_…`: names the user for good. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: Date;
}
export interface VerifiedUser extends User {
  /** Whether the address was proven by a code. It does not prove that the face belongs to its owner. */
  readonly emailVerified: boolean;
}
export interface OwnUser extends VerifiedUser {
  /** By face or code; null until the first one. */
  readonly lastSignInAt: Date | null;
}

/** Who is signed in. The token is for your server, which verifies it; it lives for an hour. */
export interface Session {
  readonly user: User;
  readonly token: string;
  /** By the clock of the service. */
  readonly expiresAt: Date;
}
export type Enrolled = Session;
export interface EmailCodeOptions extends WithSignal {
  /**
   * Set it if your page asks the person after a `firstVerification`, and then calls `confirmFace` or `deleteAccount`. The question
   * then stays open over a reload, and until it is answered tokens from the face say `email_verified: false`.
   */
  readonly asksOwner?: boolean | undefined;
}
export interface SignedIn extends Session {
  /** 0 at the threshold to 1 for an enrolled picture itself, in steps of 0.05. */
  readonly confidence: number;
}
export interface EmailSignedIn extends Session {
  readonly user: VerifiedUser;
  readonly method: 'email_code';
  /**
   * Whether this code has verified the address for the first time, or, with `asksOwner`, nobody has answered since. The face was
   * enrolled at `user.createdAt` by whoever gave the address then: ask the person whether that was them, and call `confirmFace`
   * if so, `deleteAccount` if not.
   */
  readonly firstVerification: boolean;
}
export interface TemplatesAdded extends Session {
  /** How many templates the user has now; at most 10. */
  readonly templateCount: number;
}
export interface CodeSent {
  /** When the code expires. The same for an address that nobody has enrolled. */
  readonly expiresAt: Date;
}
export interface Profile {
  readonly user: OwnUser;
  readonly enrolledAt: Date;
  readonly templateCount: number;
  readonly consent: { readonly policyVersion: string; readonly acceptedAt: Date };
  /** False for a user of test keys. */
  readonly livemode: boolean;
}

export interface Client {
  /** The mode of the key. */
  readonly mode: 'live' | 'test';
  /** Who is signed in here; null for nobody, and from the moment the token expires. In memory only: a reload forgets it. */
  readonly session: Session | null;
  readonly token: string | null;
  /** Calls back after every sign-in, sign-out, change of the user, and at expiry. Returns what ends it. */
  onSessionChange(listener: (session: Session | null) => void): () => void;

  /** Enrolls a person, who is signed in then. Codes: `consent_required`, `email_taken`, `face_already_enrolled`, `test_limit_reached`, `encoder_mismatch`. */
  enroll(options: EnrollOptions): Promise<Enrolled>;
  /** Signs in by face; at most 3 descriptors. Codes: `no_match` (offer an email code), `rate_limited`, `encoder_mismatch`. */
  signIn(options?: FaceInput): Promise<SignedIn>;
  /** Has a 6-digit code sent, good for 10 minutes. Resolves whether or not somebody has the address. Codes: `rate_limited`, `email_unavailable`, `email_send_failed`. */
  requestEmailCode(email: string, options?: WithSignal): Promise<CodeSent>;
  /** Signs in by such a code. Codes: `invalid_code`, `rate_limited`. */
  signInWithEmailCode(email: string, code: string, options?: EmailCodeOptions): Promise<EmailSignedIn>;

  // From here on for who is signed in: `not_signed_in` otherwise; `unauthorized`, `token_revoked` and `not_found` end the session.

  profile(options?: WithSignal): Promise<Profile>;
  rename(options: { readonly name: string } & WithSignal): Promise<{ readonly user: OwnUser }>;
  /** Sends a code to the new address, good for 15 minutes. Codes: `email_taken`, `rate_limited`. */
  requestEmailChange(options: { readonly newEmail: string } & WithSignal): Promise<CodeSent>;
  /** Applies the change, which verifies the address. Codes: `invalid_code`, `email_taken`. */
  confirmEmailChange(options: { readonly code: string } & WithSignal): Promise<{ readonly user: OwnUser }>;
  /** The person, signed in by code, says that the enrolled face is theirs: the answer to `firstVerification`. */
  confirmFace(options?: WithSignal): Promise<{ readonly user: OwnUser }>;
  /**
   * Adds at most 3 more pictures of the same face, and signs in anew. A user with no face left (`templateCount` 0), signed in by
   * email code, enrolls one anew. Codes: `no_match`, `encoder_mismatch`.
   */
  addTemplates(options?: FaceInput): Promise<TemplatesAdded>;
  /** Ends the token for every verifier that asks the service. Resolves when it is no good any more, whoever ended it. */
  signOut(options?: WithSignal): Promise<void>;
  /** Erases the user with everything about the face, for good. */
  deleteAccount(options?: WithSignal): Promise<void>;
}
