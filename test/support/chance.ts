/** Choices that a seed and an index decide, so that every trial can be made again. */
import { seeded } from './random.ts';

export interface Chance {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  /** Letters and digits. */
  word(length: number): string;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function chanceOf(seed: number, index: number): Chance {
  const random = seeded(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const below = (end: number) => Math.floor((random.bytes(4).readUInt32BE() / 2 ** 32) * end);
  return {
    below,
    word: length => Array.from({ length }, () => BASE62[below(62)]).join(''),
  };
}

/** One of the choices, the more often the more it weighs. @param below a number from 0 to below the one given */
export function weighted<Choice>(
  choices: readonly (readonly [Choice, weight: number])[],
  below: (end: number) => number,
): Choice {
  let place = below(choices.reduce((sum, [, weight]) => sum + weight, 0));
  const found = choices.find(([, weight]) => {
    place -= weight;
    return place < 0;
  });
  if (!found) throw new Error('there is no choice');
  return found[0];
}
