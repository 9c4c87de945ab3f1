/**
 * Reads the text of a token: its length, its three parts in canonical base64url, and what its header and claims must
 * contain. Decodes nothing of a text that is too long. The header never decides about the algorithm or the keys: `alg`
 * must be ES256, `kid` names a key of the published set, `crit` is refused, and every other member (`jwk`, `jku`,
 * `x5c`, …) is ignored. Held by test/sdk/server-forgeries.long.test.ts.
 */
import { base64url } from 'jose';
import { hasClaims, type UserTokenClaims } from './claims.ts';
import { VerificationError } from './errors.ts';

/** In characters. The service's own tokens have about 700, of which 110 are the header. */
const LONGEST = 8_192;
const LONGEST_HEADER = 1_024;
/** The last character of a 64-byte signature has only two significant bits. */
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

/** The JSON object of a part, which must be in canonical base64url. */
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
    // Not kept as a cause: the errors of JSON.parse quote its input.
    return null;
  }
}

const malformed = () => new VerificationError('malformed');
