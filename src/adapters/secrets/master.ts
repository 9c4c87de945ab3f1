/**
 * What the master secret does: it wraps the keys that seal and hash, so that it can be replaced without touching what
 * they have sealed. It seals nothing itself. A wrapped key is bound to its id, owner and version: it opens in no other row.
 * Wrapped form: a 1, nonce (12), tag (16), AES-256-GCM ciphertext (32). test/domain/vault.test.ts holds it.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Random } from '../../ports/system.ts';
import { keyedHashes } from './hashes.ts';

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
  /** Stored beside the data, so that a start under another master secret is noticed. */
  readonly checkValue: string;
  wrap(name: KeyName, key: Uint8Array, random: Random): Buffer;
  /** @throws Error when the bytes, the name or the master secret are not those of `wrap` */
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
