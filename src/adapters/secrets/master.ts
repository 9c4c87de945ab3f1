/**
 * The master secret encrypts ("wraps") the data keys and nothing else, so it can be replaced without touching the data.
 * A wrapped key is bound to its id, owner and version, so it opens in no other row. Format: 1, nonce (12 bytes), tag
 * (16), AES-256-GCM ciphertext (32). Held by test/secrets/vault.test.ts.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { Random, Secrets } from '../../ports/system.ts';

export const DATA_KEY_BYTES = 32;
const NONCE = 12;
const TAG = 16;
const HEADER = 1 + NONCE + TAG;
const ALGORITHM = 'aes-256-gcm';

export interface KeyName {
  readonly id: string;
  readonly owner: string;
  readonly version: number;
}

export interface Master {
  /** Stored in the database, to detect a start with another master secret. */
  readonly checkValue: string;
  wrap(name: KeyName, key: Uint8Array, random: Random): Buffer;
  /** @throws Error if bytes, name or master secret differ from those of `wrap` */
  unwrap(name: KeyName, wrapped: Uint8Array): Buffer;
}

/** @param secret 32 secret bytes */
export function masterOf(secret: Uint8Array): Master {
  const derived = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `face-sign-in/${purpose}`, DATA_KEY_BYTES));
  const wrapping = derived('wrap');
  const associated = ({ id, owner, version }: KeyName) =>
    Buffer.from(['data-key', id, owner, version].join('\0'));

  return {
    checkValue: keyedHashes(derived('hash')).hash('master-secret-check', 'keyed'),

    wrap(name, key, random) {
      const nonce = random.bytes(NONCE);
      const cipher = createCipheriv(ALGORITHM, wrapping, nonce);
      cipher.setAAD(associated(name));
      const body = Buffer.concat([cipher.update(key), cipher.final()]);
      return Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), body]);
    },

    unwrap(name, wrapped) {
      if (wrapped.length !== HEADER + DATA_KEY_BYTES || wrapped[0] !== 1)
        throw new Error('not a wrapped key of a known version');
      const nonce = wrapped.subarray(1, 1 + NONCE);
      const decipher = createDecipheriv(ALGORITHM, wrapping, nonce, { authTagLength: TAG });
      decipher.setAuthTag(wrapped.subarray(1 + NONCE, HEADER));
      decipher.setAAD(associated(name));
      const key = decipher.update(wrapped.subarray(HEADER));
      decipher.final();
      return key;
    },
  };
}

/**
 * Keyed hashes (HMAC-SHA-256). The key never changes, because hashes cannot be recomputed: the values are not stored.
 */
export function keyedHashes(key: Uint8Array): Secrets {
  return {
    hash: (purpose, value) => createHmac('sha256', key).update(`${purpose}\0${value}`).digest('base64url'),
  };
}
