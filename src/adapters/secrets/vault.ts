/**
 * Everything that the master secret protects: sealing of templates and private signing keys, and keyed hashes.
 *
 * Each app has a sealing key of its own (HKDF-SHA-256 of the master secret and the app id), so that a leaked or
 * erased app key says nothing of the others. Sealed form: version (1 byte), nonce (12), tag (16), AES-256-GCM
 * ciphertext. The context (app, mode, user, template) is authenticated: a row moved elsewhere does not open.
 *
 * test/domain/vault.test.ts holds it.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';

const VERSION = 1;
const NONCE = 12;
const TAG = 16;
const HEADER = 1 + NONCE + TAG;
const ALGORITHM = 'aes-256-gcm';

export interface Vault extends Secrets {
  /** Stored beside the data, so that a start under another master secret is noticed. */
  readonly checkValue: string;
  /** @param owner whose key seals: an app id, or a fixed name for the service's own secrets */
  seal(owner: string, context: readonly string[], clear: Uint8Array): Buffer;
  /** @throws Error when the bytes, the owner, the context or the master secret are not those of `seal` */
  open(owner: string, context: readonly string[], sealed: Uint8Array): Buffer;
  /** For a thread that opens many values of one owner: a handle, which goes to the thread without the key's bytes. */
  keyOf(owner: string): KeyObject;
}

/** @param master 32 secret bytes */
export function createVault(master: Uint8Array, random: Random): Vault {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', master, '', `face-sign-in/${purpose}`, 32));
  const hashKey = derive('hash');
  const sealingKeys = new Map<string, KeyObject>();

  function sealingKey(owner: string): KeyObject {
    let key = sealingKeys.get(owner);
    if (!key) {
      const bytes = derive(`seal/${owner}`);
      key = createSecretKey(bytes);
      bytes.fill(0);
      sealingKeys.set(owner, key);
    }
    return key;
  }

  const hash = (purpose: string, value: string) =>
    createHmac('sha256', hashKey).update(`${purpose}\0${value}`).digest('base64url');

  return {
    hash,
    checkValue: hash('master-secret-check', ''),

    seal(owner, context, clear) {
      const nonce = random.bytes(NONCE);
      const cipher = createCipheriv(ALGORITHM, sealingKey(owner), nonce);
      cipher.setAAD(associated(context));
      const body = Buffer.concat([cipher.update(clear), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]);
    },

    open: (owner, context, sealed) => openSealed(sealingKey(owner), context, sealed),
    keyOf: sealingKey,
  };
}

/**
 * What `Vault.open` does, with the owner's key at hand.
 * @throws Error when the bytes, the key or the context are not those of `seal`
 */
export function openSealed(key: KeyObject, context: readonly string[], sealed: Uint8Array): Buffer {
  if (sealed.length < HEADER || sealed[0] !== VERSION)
    throw new Error('not a sealed value of a known version');
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(1, 1 + NONCE), { authTagLength: TAG });
  decipher.setAuthTag(sealed.subarray(1 + NONCE, HEADER));
  decipher.setAAD(associated(context));
  const clear = decipher.update(sealed.subarray(HEADER));
  try {
    decipher.final();
  } catch (error) {
    clear.fill(0);
    throw error;
  }
  return clear;
}

/** Unambiguous bytes of the context: no part holds a zero byte. */
function associated(context: readonly string[]): Buffer {
  return Buffer.from(context.join('\0'));
}
