/** Keyed hashes (HMAC-SHA-256). Their key stays the same for the life of a database: what they stand for is not kept. */
import { createHmac } from 'node:crypto';
import type { Secrets } from '../../ports/system.ts';

export function keyedHashes(key: Uint8Array): Secrets {
  return {
    hash: (purpose, value) => createHmac('sha256', key).update(`${purpose}\0${value}`).digest('base64url'),
  };
}
