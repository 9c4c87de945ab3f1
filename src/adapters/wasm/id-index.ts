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
  #table = new Uint32Array(FIRST);
  #count = 0;

  constructor(rows: IdRows) {
    this.#rows = rows;
  }

  get size(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#table.byteLength;
  }

  /** The number of an id, 0 when there is none. */
  find(words: Uint32Array, at: number): number {
    const mask = this.#table.length - 1;
    for (let i = hash(words, at) & mask; ; i = (i + 1) & mask) {
      const number = this.#table[i] as number;
      if (number === 0) return 0;
      if (same(this.#rows.words(number), this.#rows.at(number), words, at)) return number;
    }
  }

  /** Enters a number (not 0) whose row holds its id already. The id must not be there. */
  add(number: number): void {
    if (this.#count + 1 > this.#table.length * FULL) this.#enlarge();
    this.#put(number);
    this.#count++;
  }

  /** Takes a number out; its row must still hold its id. */
  remove(number: number): void {
    const mask = this.#table.length - 1;
    let hole = this.#home(number);
    while (this.#table[hole] !== number) hole = (hole + 1) & mask;
    // Entries behind the hole move up, as long as that does not put them before their own place.
    for (let i = (hole + 1) & mask; ; i = (i + 1) & mask) {
      const next = this.#table[i] as number;
      if (next === 0) break;
      if (((i - this.#home(next)) & mask) < ((i - hole) & mask)) continue;
      this.#table[hole] = next;
      hole = i;
    }
    this.#table[hole] = 0;
    this.#count--;
  }

  #home(number: number): number {
    return hash(this.#rows.words(number), this.#rows.at(number)) & (this.#table.length - 1);
  }

  #put(number: number): void {
    const mask = this.#table.length - 1;
    let i = this.#home(number);
    while (this.#table[i] !== 0) i = (i + 1) & mask;
    this.#table[i] = number;
  }

  #enlarge(): void {
    const old = this.#table;
    this.#table = new Uint32Array(old.length * 2);
    for (const number of old) if (number !== 0) this.#put(number);
  }
}

/** Multiplication and shifts over the words, as in common non-cryptographic hashes: ids are random, not hostile. */
function hash(words: Uint32Array, at: number): number {
  let h = 0x9747b28c;
  for (let i = at; i < at + ID_WORDS; i++) {
    h = Math.imul(h ^ (words[i] as number), 0x85ebca6b);
    h ^= h >>> 15;
  }
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function same(a: Uint32Array, i: number, b: Uint32Array, j: number): boolean {
  for (let k = 0; k < ID_WORDS; k++) if (a[i + k] !== b[j + k]) return false;
  return true;
}
