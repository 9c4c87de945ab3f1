/**
 * Keyed hashes (HMAC-SHA-256). The key never changes, because hashes cannot be recomputed: the values are not stored.
 */
import { createHmac } from 'node:crypto';
import type { Secrets } from '../../ports/system.ts';

export function keyedHashes(key: Uint8Array): Secrets {
  return {
    hash: (purpose, value) => createHmac('sha256', key).update(`${purpose}\0${value}`).digest('base64url'),
  };
}
