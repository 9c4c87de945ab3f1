/**
 * Passkeys (WebAuthn). The adapter makes the options that browsers get and checks what authenticators answer; it keeps
 * nothing. Whether a challenge is open and whether a counter grew is for the store to decide, in one step with their
 * use. Held by test/domain/access/webauthn.test.ts.
 */

/** Options for the browser, as JSON. */
export type PasskeyOptions = Readonly<Record<string, unknown>>;

/** The portal, as WebAuthn knows it. */
export interface RelyingParty {
  /** With its port. */
  readonly origin: string;
  /** Host name of the origin. */
  readonly id: string;
}

interface RegisteredCredential {
  readonly credentialId: string;
  /** COSE key. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: readonly string[];
}

export interface Passkeys {
  /** A new passkey that the authenticator keeps itself, with user verification and without attestation. */
  registrationOptions(request: {
    readonly rp: RelyingParty;
    readonly rpName: string;
    /** base64url. */
    readonly challenge: string;
    readonly timeout: number;
    readonly user: { readonly id: string; readonly email: string; readonly name: string };
    /** Of the operator; an authenticator that has one is not asked again. */
    readonly existing: readonly Pick<RegisteredCredential, 'credentialId' | 'transports'>[];
  }): Promise<PasskeyOptions>;

  /** @param allowed empty: any passkey of this portal */
  authenticationOptions(request: {
    readonly rp: RelyingParty;
    readonly challenge: string;
    readonly timeout: number;
    readonly allowed: readonly Pick<RegisteredCredential, 'credentialId' | 'transports'>[];
  }): Promise<PasskeyOptions>;

  /** The new credential; null unless the answer is whole, and right in challenge, origin, portal and verification. */
  verifyRegistration(
    answer: unknown,
    expected: { readonly rp: RelyingParty; readonly challenge: string },
  ): Promise<RegisteredCredential | null>;

  /** Which credential an answer claims to be from, and whose; null if it has not the form of an answer. */
  claimed(answer: unknown): { readonly credentialId: string; readonly userId: string | null } | null;

  /** The credential's new counter; null unless the answer is whole, right and signed by this credential. */
  verifyAuthentication(
    answer: unknown,
    expected: {
      readonly rp: RelyingParty;
      readonly challenge: string;
      readonly credential: RegisteredCredential;
    },
  ): Promise<{ readonly counter: number } | null>;
}
