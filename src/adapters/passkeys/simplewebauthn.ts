/**
 * WebAuthn by @simplewebauthn/server. It throws for whatever is wrong with an answer; here every wrong answer is null,
 * because the reason must not reach the sender. Held by test/domain/access/webauthn.test.ts, with a
 * software authenticator that forges.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { PasskeyOptions, Passkeys } from '../../ports/passkeys.ts';

/**
 * EdDSA, ES256 and RS256: those that public-key.ts knows. The library would also ask for newer ones where Node.js has
 * them.
 */
const ALGORITHMS = [-8, -7, -257];

/** Loaded by the first passkey: its hundred modules would take a third of the time that a start takes. */
const library = () => import('@simplewebauthn/server');
const keys = () => import('./public-key.ts');

type Transport = NonNullable<RegistrationResponseJSON['response']['transports']>[number];

export const simpleWebAuthn: Passkeys = {
  async registrationOptions({ rp, rpName, challenge, timeout, user, existing }) {
    const { generateRegistrationOptions } = await library();
    const options = await generateRegistrationOptions({
      rpName,
      rpID: rp.id,
      userID: Uint8Array.from(Buffer.from(user.id)),
      userName: user.email,
      userDisplayName: user.name,
      challenge: bytesOf(challenge),
      timeout,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: existing.map(descriptor),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    });
    return options as unknown as PasskeyOptions;
  },

  async authenticationOptions({ rp, challenge, timeout, allowed }) {
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({
      rpID: rp.id,
      challenge: bytesOf(challenge),
      timeout,
      allowCredentials: allowed.map(descriptor),
      userVerification: 'required',
    });
    return options as unknown as PasskeyOptions;
  },

  async verifyRegistration(answer, { rp, challenge }) {
    const [{ verifyRegistrationResponse }, { isWholeKey }] = await Promise.all([library(), keys()]);
    try {
      const response = answer as RegistrationResponseJSON;
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: rp.origin,
        expectedRPID: rp.id,
        supportedAlgorithmIDs: ALGORITHMS,
        requireUserPresence: true,
        requireUserVerification: true,
      });
      if (!verified) return null;
      const { id, counter, ...credential } = registrationInfo.credential;
      const publicKey = Uint8Array.from(credential.publicKey);
      if (!isWholeKey(publicKey)) return null;
      return {
        credentialId: id,
        publicKey,
        counter,
        transports: transportsOf(response.response.transports),
      };
    } catch {
      return null;
    }
  },

  claimed(answer) {
    const { id, response } = (answer ?? {}) as Partial<AuthenticationResponseJSON>;
    // It is looked up as it is. PostgreSQL takes no NUL.
    if (typeof id !== 'string' || !/^[\w-]+$/.test(id) || typeof response !== 'object' || response === null)
      return null;
    const { userHandle } = response;
    const userId = typeof userHandle === 'string' ? Buffer.from(userHandle, 'base64url').toString() : null;
    return { credentialId: id, userId };
  },

  async verifyAuthentication(answer, { rp, challenge, credential }) {
    const { verifyAuthenticationResponse } = await library();
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: rp.origin,
        expectedRPID: rp.id,
        credential: {
          id: credential.credentialId,
          publicKey: credential.publicKey,
          counter: credential.counter,
        },
        requireUserVerification: true,
      });
      return verified ? { counter: authenticationInfo.newCounter } : null;
    } catch {
      return null;
    }
  },
};

function bytesOf(challenge: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(challenge, 'base64url'));
}

function descriptor({
  credentialId,
  transports,
}: {
  readonly credentialId: string;
  readonly transports: readonly string[];
}): { id: string; transports: Transport[] } {
  return { id: credentialId, transports: transports as Transport[] };
}

const TRANSPORTS: readonly string[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** A browser may say anything here, and it is stored. */
function transportsOf(given: unknown): string[] {
  return Array.isArray(given) ? TRANSPORTS.filter(name => given.includes(name)) : [];
}
