/**
 * Seeded random numbers for the galleries of the search bench, fast enough to make 128 million of them in seconds. They
 * use only integers, additions, products and square roots, so a seed gives the same gallery on every platform.
 */

/** The sum of four uniform 16-bit numbers is close enough to a normal distribution. */
const MEAN = 2 * 65535;
const DEVIATION = Math.sqrt((65536 * 65536 - 1) / 3);

export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;

  constructor(...seeds: readonly number[]) {
    let hash = 0x9e3779b9;
    for (const seed of seeds) hash = scramble(scramble(hash ^ seed) ^ Math.floor(seed / 2 ** 32));
    this.#a = hash;
    this.#b = scramble(hash + 1);
    this.#c = scramble(hash + 2);
    for (let i = 0; i < 12; i++) this.uniform();
  }

  /** From 0 (included) to 1 (excluded). */
  uniform(): number {
    return (this.#next() >>> 0) / 2 ** 32;
  }

  /** An integer from 0 to `below` - 1. */
  index(below: number): number {
    return Math.floor(this.uniform() * below);
  }

  /** Fills with numbers of mean 0 and deviation 1. The generator is sfc32; its state is in locals for speed. */
  normals(target: Float64Array): void {
    let [a, b, c, counter] = [this.#a, this.#b, this.#c, this.#counter];
    for (let i = 0; i < target.length; i++) {
      const one = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + one) | 0;
      const two = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + two) | 0;
      target[i] = ((one & 65535) + (one >>> 16) + (two & 65535) + (two >>> 16) - MEAN) / DEVIATION;
    }
    [this.#a, this.#b, this.#c, this.#counter] = [a, b, c, counter];
  }

  #next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum;
  }
}

/** Spreads every bit of a 32-bit number over all of them. */
function scramble(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return x ^ (x >>> 15);
}
