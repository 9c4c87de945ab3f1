/**
 * From ids to numbers, in a few bytes an entry: an open-addressed table of numbers whose ids lie in rows elsewhere.
 * A map of strings would take ten times the memory of it, and as much again for the garbage collector to walk.
 * It keeps no ids itself. Held by test/matcher/id-index.test.ts.
 */

/** Words of 32 bits in a row. */
export const ID_WORDS = 8;

/** Where the id of a number lies: `words[at]` and the 7 words after it. */
export interface IdRows {
  words(number: number): Uint32Array;
  at(number: number): number;
}

const FIRST = 16;
/** Entries in use, at most this share of the table. */
const FULL = 0.7;

export class IdIndex {
  readonly #rows: IdRows;
  /** Two words an entry: the number (0: none), and the hash of its id, so that rows of others need not be read. */
  #table: Uint32Array;
  #mask: number;
  #count = 0;

  /** @param expected entries to make room for at once */
  constructor(rows: IdRows, expected = 0) {
    this.#rows = rows;
    let places = FIRST;
    while (places * FULL < expected) places *= 2;
    this.#table = new Uint32Array(places * 2);
    this.#mask = places - 1;
  }

  get size(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#table.byteLength;
  }

  /** The number of an id, 0 when there is none. */
  find(words: Uint32Array, at: number): number {
    const wanted = hashOf(words, at);
    for (let i = wanted & this.#mask; ; i = (i + 1) & this.#mask) {
      const number = this.#table[i * 2] as number;
      if (number === 0) return 0;
      if (this.#table[i * 2 + 1] !== wanted) continue;
      if (same(this.#rows.words(number), this.#rows.at(number), words, at)) return number;
    }
  }

  /** Enters a number (not 0) whose row holds its id already. The id must not be there. */
  add(number: number): void {
    if (this.#count + 1 > (this.#mask + 1) * FULL) this.#enlarge();
    this.#put(number, hashOf(this.#rows.words(number), this.#rows.at(number)));
    this.#count++;
  }

  /** Takes a number out; its row must still hold its id. */
  remove(number: number): void {
    const mask = this.#mask;
    let hole = hashOf(this.#rows.words(number), this.#rows.at(number)) & mask;
    while (this.#table[hole * 2] !== number) hole = (hole + 1) & mask;
    // Entries behind the hole move up, as long as that does not put them before their own place.
    for (let i = (hole + 1) & mask; this.#table[i * 2] !== 0; i = (i + 1) & mask) {
      const home = (this.#table[i * 2 + 1] as number) & mask;
      if (((i - home) & mask) < ((i - hole) & mask)) continue;
      this.#table.copyWithin(hole * 2, i * 2, i * 2 + 2);
      hole = i;
    }
    this.#table.fill(0, hole * 2, hole * 2 + 2);
    this.#count--;
  }

  #put(number: number, hashed: number): void {
    let i = hashed & this.#mask;
    while (this.#table[i * 2] !== 0) i = (i + 1) & this.#mask;
    this.#table[i * 2] = number;
    this.#table[i * 2 + 1] = hashed;
  }

  #enlarge(): void {
    const old = this.#table;
    this.#table = new Uint32Array(old.length * 2);
    this.#mask = this.#mask * 2 + 1;
    for (let i = 0; i < old.length; i += 2)
      if (old[i] !== 0) this.#put(old[i] as number, old[i + 1] as number);
  }
}

/** A sum of products with odd constants, mixed once: ids are random, not hostile. */
export function hashOf(words: Uint32Array, at: number): number {
  let h =
    Math.imul(words[at] as number, 0x85ebca6b) +
    Math.imul(words[at + 1] as number, 0xc2b2ae35) +
    Math.imul(words[at + 2] as number, 0x27d4eb2f) +
    Math.imul(words[at + 3] as number, 0x165667b1) +
    Math.imul(words[at + 4] as number, 0x9e3779b1) +
    Math.imul(words[at + 5] as number, 0x2545f491) +
    Math.imul(words[at + 6] as number, 0x9747b28d) +
    Math.imul(words[at + 7] as number, 0x4f6cdd1d);
  h = Math.imul(h ^ (h >>> 15), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 13), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

function same(a: Uint32Array, i: number, b: Uint32Array, j: number): boolean {
  for (let k = 0; k < ID_WORDS; k++) if (a[i + k] !== b[j + k]) return false;
  return true;
}
