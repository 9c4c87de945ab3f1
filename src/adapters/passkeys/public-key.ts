/**
 * Whether a credential's public key can ever verify anything. Without attestation nothing is signed at registration,
 * and the library reads a key that was cut off as a shorter one. Held by test/domain/access/webauthn.test.ts.
 */
import { createPublicKey, type JsonWebKeyInput } from 'node:crypto';
import { cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';

export function isWholeKey(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    const jwk = jwkOf(bytes);
    // Refuses points that are not on the curve, and coordinates of another length.
    return jwk !== null && createPublicKey({ key: jwk, format: 'jwk' }).type === 'public';
  } catch {
    return false;
  }
}

/** Null for other kinds than those that the options ask for: ES256, EdDSA and RS256. */
function jwkOf(bytes: Uint8Array<ArrayBuffer>): JsonWebKeyInput['key'] | null {
  const key = decodeCredentialPublicKey(bytes);
  if (cose.isCOSEPublicKeyEC2(key) && key.get(cose.COSEKEYS.crv) === cose.COSECRV.P256)
    return { kty: 'EC', crv: 'P-256', x: text(key.get(cose.COSEKEYS.x)), y: text(key.get(cose.COSEKEYS.y)) };
  if (cose.isCOSEPublicKeyOKP(key) && key.get(cose.COSEKEYS.crv) === cose.COSECRV.ED25519)
    return { kty: 'OKP', crv: 'Ed25519', x: text(key.get(cose.COSEKEYS.x)) };
  if (cose.isCOSEPublicKeyRSA(key))
    return { kty: 'RSA', n: text(key.get(cose.COSEKEYS.n)), e: text(key.get(cose.COSEKEYS.e)) };
  return null;
}

function text(part: Uint8Array | undefined): string {
  return Buffer.from(part ?? []).toString('base64url');
}
