/** Choices that a seed and an index decide, so that every forgery can be made again. */
import { seeded } from './random.ts';

export interface Chance {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  bytes(length: number): Buffer;
  pick<T>(list: readonly T[]): T;
  /** Letters and digits. */
  word(length: number): string;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function chanceOf(seed: number, index: number): Chance {
  const random = seeded(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const below = (end: number) => Math.floor((random.bytes(4).readUInt32BE() / 2 ** 32) * end);
  return {
    below,
    bytes: length => random.bytes(length),
    pick: list => list[below(list.length)] as (typeof list)[number],
    word: length => Array.from({ length }, () => BASE62[below(62)]).join(''),
  };
}
