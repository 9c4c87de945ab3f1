/** Randomness that tests can repeat or steer, in the shape that the domain asks for. */
import type { Random } from '../../src/ports/system.ts';

/** Bytes of mulberry32: the same for the same seed. */
export function seeded(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return (x ^ (x >>> 14)) >>> 24;
  };
  return { bytes: length => Buffer.from(Array.from({ length }, next)) };
}

/** Gives these bytes in turn, over and over. */
export function cycling(...values: readonly number[]): Random {
  let at = 0;
  return { bytes: length => Buffer.from(Array.from({ length }, () => values[at++ % values.length] ?? 0)) };
}
