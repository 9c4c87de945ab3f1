/** Ids and keys: a prefix and random base62 characters, each equally likely. */
import type { Random } from '../ports/system.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes from this value on would favour the first characters, so they are discarded. */
const UNBIASED_BELOW = 256 - (256 % BASE62.length);
const ID_LENGTH = 24;

export function base62(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length + 4)) {
      if (byte < UNBIASED_BELOW && text.length < length) text += BASE62[byte % BASE62.length];
    }
  }
  return text;
}

export type IdPrefix =
  | 'app'
  | 'key'
  | 'usr'
  | 'tpl'
  | 'ch'
  | 'code'
  | 'jti'
  | 'opr'
  | 'team'
  | 'ses'
  | 'psk'
  | 'lnk'
  | 'wh';

export function newId(random: Random, prefix: IdPrefix): string {
  return `${prefix}_${base62(random, ID_LENGTH)}`;
}
