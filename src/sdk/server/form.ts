/**
 * Reads the text of a token: how long it may be, its three parts, the one spelling that base64url has of them, and what
 * the header and the claims must hold. Nothing is decoded of a text that is too long. Algorithm and place of the keys are
 * never taken from the header: `alg` must say ES256, `kid` names a key of the published set, `crit` is refused, and every
 * other member (`jwk`, `jku`, `x5c`, …) is left unread. Held by test/sdk/server-forgeries.long.test.ts.
 */
import { base64url } from 'jose';
import { hasClaims, type UserTokenClaims } from './claims.ts';
import { VerificationError } from './errors.ts';

/** Characters. The service's own tokens have about 700, of which 110 are the header. */
const LONGEST = 8_192;
const LONGEST_HEADER = 1_024;
/** The last character of 64 bytes carries two bits. */
const FORM = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/;

export interface TokenForm {
  readonly kid: string;
  readonly claims: UserTokenClaims;
}

/** @throws VerificationError malformed */
export function readToken(token: unknown): TokenForm {
  if (typeof token !== 'string' || token.length > LONGEST || !FORM.test(token)) throw malformed();
  const [head = '', body = ''] = token.split('.');
  if (head.length > LONGEST_HEADER) throw malformed();
  const header = objectOf(head);
  const { alg, kid, crit } = header;
  if (alg !== 'ES256' || typeof kid !== 'string' || crit !== undefined) throw malformed();
  const claims = objectOf(body);
  if (!hasClaims(claims)) throw malformed();
  return { kid, claims };
}

/** The JSON object of a part that is spelt as its bytes are encoded. */
function objectOf(part: string): Record<string, unknown> {
  const value = parsed(part);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed();
  return value as Record<string, unknown>;
}

function parsed(part: string): unknown {
  try {
    const bytes = base64url.decode(part);
    if (base64url.encode(bytes) !== part) return null;
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    // Not kept as a cause: what JSON.parse throws quotes the text that it was given.
    return null;
  }
}

const malformed = () => new VerificationError('malformed');
