/**
 * Sealed values: templates and private signing keys as the database holds them. The form is a 1, the id of the key (8
 * bytes), nonce (12), tag (16), AES-256-GCM ciphertext. The context (app, mode, user, template) is authenticated: a row
 * moved elsewhere does not open.
 *
 * A key may be replaced while others read: what is sealed with a key that a reader does not know yet is read again with
 * the keys of that moment (`opening`). test/domain/vault.test.ts holds it.
 */
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { Random } from '../../ports/system.ts';

export const KEY_ID_BYTES = 8;

const FORM = 1;
const NONCE = 12;
const TAG = 16;
const KEY_END = 1 + KEY_ID_BYTES;
const NONCE_END = KEY_END + NONCE;
const HEADER = NONCE_END + TAG;
const ALGORITHM = 'aes-256-gcm';
/** A key is replaced while a value is read; twice in a row would take two commands in that moment. */
const MOST_TRIES = 5;

export interface DataKey {
  /** KEY_ID_BYTES in hexadecimal digits. */
  readonly id: string;
  readonly key: KeyObject;
}

/** The keys of one owner, by their ids. Handles: they go to a thread without the keys' bytes. */
export type KeyRing = ReadonlyMap<string, KeyObject>;

/** The keys of one owner as they are known, or, `anew`, as they are stored now. */
export type Keys = (anew: boolean) => Promise<KeyRing>;

/** A value is sealed with a key that is not in the ring. */
export class UnknownKey extends Error {
  constructor() {
    super('sealed with a key that is not known');
  }
}

export function seal(
  { id, key }: DataKey,
  context: readonly string[],
  clear: Uint8Array,
  random: Random,
): Buffer {
  const nonce = random.bytes(NONCE);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  cipher.setAAD(associated(context));
  const body = Buffer.concat([cipher.update(clear), cipher.final()]);
  return Buffer.concat([sealedPrefix(id), nonce, cipher.getAuthTag(), body]);
}

/** How every value begins that the key has sealed. */
export function sealedPrefix(id: string): Buffer {
  return Buffer.concat([Buffer.of(FORM), Buffer.from(id, 'hex')]);
}

/**
 * The value, or null for one that does not open: it was altered, or moved from another place.
 * @param isLast whether a key that is not known counts as that too
 * @throws UnknownKey, unless it does
 */
export function openedOrNull(
  ring: KeyRing,
  context: readonly string[],
  sealed: Uint8Array,
  isLast: boolean,
): Buffer | null {
  try {
    return openSealed(ring, context, sealed);
  } catch (error) {
    if (error instanceof UnknownKey && !isLast) throw error;
    return null;
  }
}

/** @throws UnknownKey; Error when the bytes, the key or the context are not those of `seal` */
export function openSealed(ring: KeyRing, context: readonly string[], sealed: Uint8Array): Buffer {
  if (sealed.length < HEADER || sealed[0] !== FORM) throw new Error('not a sealed value of a known version');
  const key = ring.get(bufferOf(sealed).toString('hex', 1, KEY_END));
  if (!key) throw new UnknownKey();
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(KEY_END, NONCE_END), {
    authTagLength: TAG,
  });
  decipher.setAuthTag(sealed.subarray(NONCE_END, HEADER));
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

/**
 * Reads and opens, again with the keys of that moment when a key was not known. What is read is older than the keys then,
 * so only a value that was sealed anew in between, by a key that is newer still, takes another try. A key that is not known
 * at the last try is none.
 */
export async function opening<Answer>(
  keys: Keys,
  attempt: (ring: KeyRing, isLast: boolean) => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(await keys(tries > 1), tries === MOST_TRIES);
    } catch (error) {
      if (!(error instanceof UnknownKey) || tries === MOST_TRIES) throw error;
    }
  }
}

/** The same bytes: a copy for each of a million templates would be felt. */
function bufferOf(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Unambiguous bytes of the context: no part holds a zero byte. */
function associated(context: readonly string[]): Buffer {
  return Buffer.from(context.join('\0'));
}
