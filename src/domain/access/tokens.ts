/** Secrets of links, sessions and browsers: 32 random bytes as base64url, of which only the hash is stored. */
import { hash } from 'node:crypto';
import type { Random } from '../../ports/system.ts';

const BYTES = 32;
const FORM = /^[\w-]{43}$/;

export function newToken(random: Random): string {
  return random.bytes(BYTES).toString('base64url');
}

/** Null for what cannot be a token, so that nothing is looked up for it. */
export function tokenHash(token: unknown): string | null {
  if (typeof token !== 'string' || !FORM.test(token)) return null;
  // Bits beyond the last byte would give one token several spellings.
  if (Buffer.from(token, 'base64url').toString('base64url') !== token) return null;
  return hash('sha256', token, 'base64url');
}
