/**
 * Repeatable randomness: the same seed gives the same draws on every machine. Only for samples, never for secrets;
 * those use the Random port. Held by test/calibration/people.test.ts.
 */

/** A whole number from 0 up to, but not including, `below`, which is at most 2^32. */
export type Draw = (below: number) => number;

/** The sfc32 generator. @param seed a whole number from 0 to 2^32 - 1 */
export function seededDraw(seed: number): Draw {
  let [a, b, c, counter] = [0x9e3779b9, seed | 0, 0x243f6a88, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 16; i++) next();
  return below => Math.floor((next() / 2 ** 32) * below);
}

/** Shuffles the list in place. */
export function shuffle(list: Uint32Array, draw: Draw): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = draw(i + 1);
    const kept = list[i] as number;
    list[i] = list[j] as number;
    list[j] = kept;
  }
}

/** A 32-bit hash of the text and the seed. */
export function hashed(text: string, seed: number): number {
  let hash = (seed ^ 0x811c9dc5) | 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return (hash ^ (hash >>> 15)) >>> 0;
}
