/**
 * Decrypts many sealed values at once without authenticating them, to choose among them: whoever uses one opens it
 * first, with `openSealed`. Opening each costs several microseconds, most of them for setting up a cipher. Here one
 * cipher makes the key stream of all values: in GCM that is AES in counter mode, from 2 on, after the 12 bytes of the
 * nonce (NIST SP 800-38D). Held by test/secrets/peeking.test.ts.
 */
import { createCipheriv, type KeyObject } from 'node:crypto';
import { type Opener, placesIn, UnknownKey } from './sealing.ts';

const BLOCK = 16;
const FIRST_COUNTER = 2;

/**
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
