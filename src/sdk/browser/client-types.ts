/**
 * The types of the client; client.ts implements them. Times are `Date`s. Every method rejects only with a
 * FaceSignInError. Held by test/sdk/browser-client.test.ts.
 */
import type { CaptureOptions } from './capture/capture.ts';
import type { Captured, FaceEncoder, Liveness } from './types.ts';

/** Makes descriptors and liveness, and rejects with a FaceSignInError. */
export type CaptureFunction = (options: CaptureOptions) => Promise<Captured>;

export interface ClientOptions {
  /** `svc_pk_live_…` or `svc_pk_test_…`. Never a secret key. */
  readonly publishableKey: string;
  /** URL of the service, such as `https://signin.example.com`. It may have a path and a trailing slash. */
  readonly baseUrl: string | URL;
  /** Finds and describes faces. Not needed if you always pass descriptors. */
  readonly encoder?: FaceEncoder | undefined;
  /** Makes descriptors from the camera. Default: the SDK's own capture. */
  readonly capture?: CaptureFunction | undefined;
  /** Milliseconds to wait for each response. Default: 15,000. */
  readonly timeout?: number | undefined;
  /**
   * For first-party apps: sends and keeps the session cookie, so `signOut` works with it alone. Fails for other apps.
   */
  readonly firstParty?: boolean | undefined;
  /** Used instead of the global `fetch`. Outside a browser it must add the `Origin` header. */
  readonly fetch?: typeof fetch | undefined;
}

export interface WithSignal {
  /** Stops the call with `aborted`. A request that has reached the service may still take effect. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for the capture function. Each has a default. */
export type CaptureSettings = {
  readonly [Key in Exclude<keyof CaptureOptions, 'encoder' | 'keep' | 'signal'>]?:
    | CaptureOptions[Key]
    | undefined;
};

/** A face: your own descriptors, or else those that the client captures now. */
export interface FaceInput extends WithSignal {
  /** Plain or typed arrays of 128 finite numbers. If given, nothing is captured. */
  readonly descriptors?: readonly ArrayLike<number>[] | undefined;
  /** The `FaceEncoder.id` of the encoder that made the `descriptors`. A capture sends its own. */
  readonly encoder?: string | undefined;
  /** Sent with `descriptors`. A capture makes its own. */
  readonly liveness?: Partial<Liveness> | undefined;
  /**
   * Default: to enroll 3 to 5 pictures, and to add templates up to 3, of which an encoder with `mean` makes one
   * descriptor. A sign-in takes one picture; with `mean: true` it takes 3 and makes one descriptor: only if the
   * service's threshold is at most 0.32.
   */
  readonly capture?: CaptureSettings | undefined;
}

export interface SignInOptions extends FaceInput {
  /**
   * Called with what the service answers, before anyone is signed in. If it does not return true, nobody is: the client
   * revokes the token, and then resolves, or rejects with what it threw. For a page that asks for an email code too if
   * the `confidence` is low.
   */
  readonly accepts?: ((signedIn: SignedIn) => boolean) | undefined;
}

export interface Consent {
  /** The version of the notice that was shown, in 1 to 100 characters. */
  readonly policyVersion: string;
  /** Whether the person has accepted the notice. Must be true. */
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
  /** `usr_…`: the permanent ID of the user. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: Date;
}
export interface VerifiedUser extends User {
  /** Whether the address was verified by a code. This does not prove that the face belongs to its owner. */
  readonly emailVerified: boolean;
}
export interface OwnUser extends VerifiedUser {
  /** The last sign-in by face or email code; null until the first one. */
  readonly lastSignInAt: Date | null;
}

/** The signed-in user. Send the token to your server, which verifies it. It is valid for one hour. */
export interface Session {
  readonly user: User;
  readonly token: string;
  /** By the clock of the service. */
  readonly expiresAt: Date;
}
export type Enrolled = Session;
interface EmailCodeOptions extends WithSignal {
  /**
   * Set this if your page asks the person after a `firstVerification` and then calls `confirmFace` or `deleteAccount`.
   * Until they answer, the question stays open over reloads and codes without this, and tokens from the face have
   * `email_verified: false`.
   */
  readonly asksOwner?: boolean | undefined;
  /** As for `signIn`. For a code that has to be the same person's as a face: compare `user.id`. */
  readonly accepts?: ((signedIn: EmailSignedIn) => boolean) | undefined;
}
export interface SignedIn extends Session {
  /** From 0.25 at the threshold to 1 for an enrolled picture itself, in quarters. */
  readonly confidence: number;
}
export interface EmailSignedIn extends Session {
  readonly user: VerifiedUser;
  readonly method: 'email_code';
  /**
   * True if this code verified the address for the first time. With `asksOwner` it stays true until the person has
   * answered. The face was enrolled at `user.createdAt` by whoever gave the address then. Ask the person whether that
   * was them. If so, call `confirmFace`; if not, call `deleteAccount`.
   */
  readonly firstVerification: boolean;
}
export interface TemplatesAdded extends Session {
  /** How many templates the user has now; at most 10. */
  readonly templateCount: number;
}
export interface CodeSent {
  /** When the code expires. The response is the same if the address is not enrolled. */
  readonly expiresAt: Date;
}
export interface Profile {
  readonly user: OwnUser;
  readonly enrolledAt: Date;
  readonly templateCount: number;
  readonly consent: { readonly policyVersion: string; readonly acceptedAt: Date };
  /** False for a test user. */
  readonly livemode: boolean;
}

export interface Client {
  /** The mode of the key. */
  readonly mode: 'live' | 'test';
  /**
   * The current session. Null if nobody is signed in or the token has expired. Kept in memory only, so a reload ends
   * it.
   */
  readonly session: Session | null;
  readonly token: string | null;
  /**
   * Called after every sign-in, sign-out or change of the user, and at expiry. Returns a function that unsubscribes.
   */
  onSessionChange(listener: (session: Session | null) => void): () => void;

  /**
   * Enrolls a person and signs them in. Error codes: `consent_required`, `email_taken`, `face_already_enrolled`,
   * `test_limit_reached`, `encoder_mismatch`.
   */
  enroll(options: EnrollOptions): Promise<Enrolled>;
  /**
   * Signs in by face, with at most 3 descriptors. Error codes: `no_match` (offer an email code), `rate_limited`,
   * `encoder_mismatch`.
   */
  signIn(options?: SignInOptions): Promise<SignedIn>;
  /**
   * Requests a 6-digit code by email, valid for 10 minutes. Resolves whether or not the address is registered. Error
   * codes: `rate_limited`, `email_unavailable`, `email_send_failed`.
   */
  requestEmailCode(email: string, options?: WithSignal): Promise<CodeSent>;
  /** Signs in with the code. Error codes: `invalid_code`, `rate_limited`. */
  signInWithEmailCode(email: string, code: string, options?: EmailCodeOptions): Promise<EmailSignedIn>;

  // The rest needs a session, else `not_signed_in`. `unauthorized`, `token_revoked` and `not_found` end the session.
  // `email_code_needed`: this face is not confirmed yet, so only `profile` and `signOut` work. Sign in by email code.

  profile(options?: WithSignal): Promise<Profile>;
  rename(options: { readonly name: string } & WithSignal): Promise<{ readonly user: OwnUser }>;
  /** Sends a code to the new address, valid for 15 minutes. Error codes: `email_taken`, `rate_limited`. */
  requestEmailChange(options: { readonly newEmail: string } & WithSignal): Promise<CodeSent>;
  /** Applies the change, which verifies the address. Error codes: `invalid_code`, `email_taken`. */
  confirmEmailChange(options: { readonly code: string } & WithSignal): Promise<{ readonly user: OwnUser }>;
  /** Confirms that the enrolled face is the person's own, after `firstVerification`. Needs a sign-in by email code. */
  confirmFace(options?: WithSignal): Promise<{ readonly user: OwnUser }>;
  /**
   * Adds a template of the same face as it looks today, and starts a new session. A user without a face
   * (`templateCount` 0) who signed in by email code enrolls a new one. Error codes: `no_match`, `encoder_mismatch`.
   */
  addTemplates(options?: FaceInput): Promise<TemplatesAdded>;
  /** Revokes the token, for every verifier that asks the service. Also resolves if it was already invalid. */
  signOut(options?: WithSignal): Promise<void>;
  /** Permanently erases the user and everything about the face. */
  deleteAccount(options?: WithSignal): Promise<void>;
}
