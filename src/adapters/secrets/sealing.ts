/**
 * Encrypts ("seals") and decrypts ("opens") templates and private signing keys. Format: 3, id of the key (8 bytes),
 * nonce (12), tag (16), AES-256-GCM ciphertext. The context (app, mode, user, template) is authenticated, so a row that
 * was moved does not open.
 *
 * A key may be replaced during a read: if a value needs an unknown key, it is read again with the current keys
 * (`opening`). Held by test/secrets/vault.test.ts.
 */
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { Random } from '../../ports/system.ts';

export const KEY_ID_BYTES = 8;

/** Development versions wrote 1 and 2. */
const FORM = 3;
const NONCE = 12;
const TAG = 16;
const KEY_END = 1 + KEY_ID_BYTES;
const NONCE_END = KEY_END + NONCE;
const HEADER = NONCE_END + TAG;
const ALGORITHM = 'aes-256-gcm';
/** A second try is enough, unless several commands replace keys during one read. */
const MOST_TRIES = 5;

export interface DataKey {
  /** KEY_ID_BYTES in hexadecimal digits. */
  readonly id: string;
  readonly key: KeyObject;
}

/** The keys of one owner, by id. As key objects they can be passed to a thread without copying the bytes. */
export type KeyRing = ReadonlyMap<string, KeyObject>;

/** The known keys of one owner. `refresh`: read them from the database again. */
export type Keys = (refresh: boolean) => Promise<KeyRing>;

/** How to open a value. `isLast`: one of an unknown key does not open; otherwise UnknownKey is thrown. */
export interface Opener {
  readonly ring: KeyRing;
  readonly isLast: boolean;
}

/** The key of a value is not in the ring. */
export class UnknownKey extends Error {
  constructor() {
    super('encrypted with an unknown key');
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
  const body = cipher.update(clear);
  // Nothing is left over in this mode.
  cipher.final();
  return Buffer.concat([sealedPrefix(id), nonce, cipher.getAuthTag(), body]);
}

/** The first bytes of every value that the key has sealed. */
export function sealedPrefix(id: string): Buffer {
  return Buffer.concat([Buffer.of(FORM), Buffer.from(id, 'hex')]);
}

/**
 * @returns the value, or null if it does not open: then it was altered, or moved from another row
 * @throws UnknownKey, unless isLast
 */
export function openedOrNull(
  { ring, isLast }: Opener,
  context: readonly string[],
  sealed: Uint8Array,
): Buffer | null {
  try {
    return openSealed(ring, context, sealed);
  } catch (error) {
    if (error instanceof UnknownKey && !isLast) throw error;
    return null;
  }
}

/** Whether the value opens. @throws UnknownKey, unless isLast */
export function opens(opener: Opener, context: readonly string[], sealed: Uint8Array): boolean {
  const clear = openedOrNull(opener, context, sealed);
  clear?.fill(0);
  return clear !== null;
}

/** The parts of a sealed value, as they stand in it; null: it is none. */
function placesIn(sealed: Uint8Array) {
  if (sealed.length < HEADER || sealed[0] !== FORM) return null;
  return {
    keyId: bufferOf(sealed).toString('hex', 1, KEY_END),
    nonce: sealed.subarray(KEY_END, NONCE_END),
    tag: sealed.subarray(NONCE_END, HEADER),
    body: sealed.subarray(HEADER),
  };
}

/** @throws UnknownKey; Error if bytes, key or context differ from those of `seal` */
export function openSealed(ring: KeyRing, context: readonly string[], sealed: Uint8Array): Buffer {
  const places = placesIn(sealed);
  if (!places) throw new Error('not a sealed value of a known version');
  const key = ring.get(places.keyId);
  if (!key) throw new UnknownKey();
  const decipher = createDecipheriv(ALGORITHM, key, places.nonce, { authTagLength: TAG });
  decipher.setAuthTag(places.tag);
  decipher.setAAD(associated(context));
  const clear = decipher.update(places.body);
  try {
    decipher.final();
  } catch (error) {
    clear.fill(0);
    throw error;
  }
  return clear;
}

/**
 * Reads and opens values, and tries again with the current keys if a key is unknown. One more try is needed only if the
 * key was replaced again in between. A key that is unknown at the last try does not exist.
 */
export async function opening<Answer>(
  keys: Keys,
  attempt: (opener: Opener) => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt({ ring: await keys(tries > 1), isLast: tries === MOST_TRIES });
    } catch (error) {
      if (!(error instanceof UnknownKey) || tries === MOST_TRIES) throw error;
    }
  }
}

/** Shares the bytes: a copy for each of a million templates would be slow. */
function bufferOf(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Unambiguous, because no part of the context contains a zero byte. */
function associated(context: readonly string[]): Buffer {
  return Buffer.from(context.join('\0'));
}

const BLOCK = 16;
const FIRST_COUNTER = 2;

/**
 * Decrypts many sealed values at once without authenticating them, to choose among them: whoever uses one opens it
 * first, with `openSealed`. Opening each costs several microseconds, most of them for setting up a cipher. Here one
 * cipher makes the key stream of all values: in GCM that is AES in counter mode, from 2 on, after the 12 bytes of the
 * nonce (NIST SP 800-38D). Held by test/secrets/peeking.test.ts.
 * @returns what may be the clear text of each; null: it is no sealed value
 * @throws UnknownKey, unless isLast
 */
export function peek({ ring, isLast }: Opener, values: readonly Uint8Array[]): (Buffer | null)[] {
  const clear: (Buffer | null)[] = values.map(() => null);
  const byKey = new Map<KeyObject, Part[]>();
  for (const [place, value] of values.entries()) {
    const found = placesIn(value);
    const key = found && ring.get(found.keyId);
    if (found && !key && !isLast) throw new UnknownKey();
    if (!found || !key) continue;
    const parts = byKey.get(key) ?? [];
    parts.push({ place, nonce: found.nonce, body: found.body });
    byKey.set(key, parts);
  }
  for (const [key, parts] of byKey) decrypt(key, parts, clear);
  return clear;
}

interface Part {
  readonly place: number;
  readonly nonce: Uint8Array;
  readonly body: Uint8Array;
}

function decrypt(key: KeyObject, parts: readonly Part[], clear: (Buffer | null)[]): void {
  const blocksOf = ({ body }: Part) => Math.ceil(body.length / BLOCK);
  const stream = Buffer.alloc(parts.reduce((sum, part) => sum + blocksOf(part), 0) * BLOCK);
  let at = 0;
  for (const part of parts)
    for (let block = 0; block < blocksOf(part); block++, at += BLOCK) {
      stream.set(part.nonce, at);
      stream.writeUInt32BE(FIRST_COUNTER + block, at + part.nonce.length);
    }
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const pad = cipher.update(stream);
  let from = 0;
  for (const part of parts) {
    const { place, body } = part;
    const text = Buffer.allocUnsafe(body.length);
    for (let i = 0; i < body.length; i++) text[i] = (body[i] as number) ^ (pad[from + i] as number);
    clear[place] = text;
    from += blocksOf(part) * BLOCK;
  }
}
