/**
 * Ids of one gallery's templates and users beside their slots and numbers in the core: rows of 32 bytes, found by
 * number at once and by id through an index. Rows are erased when what they name goes, and serve again.
 * Held by test/matcher/names.test.ts.
 */
import { ID_BYTES, idAt } from '../../ports/template-rows.ts';
import { ID_WORDS, IdIndex, type IdRows } from './id-index.ts';

/** Rows in a piece. Pieces never move, so growing copies nothing; a small block of the core has slots for one. */
const PIECE = 128;

/** Rows by number, in pieces that come with the first row in them. */
class Rows implements IdRows {
  readonly #pieces = new Map<number, Uint32Array<ArrayBuffer>>();

  get bytes(): number {
    return this.#pieces.size * PIECE * ID_BYTES;
  }

  words(number: number): Uint32Array<ArrayBuffer> {
    const key = Math.floor(number / PIECE);
    let piece = this.#pieces.get(key);
    if (piece === undefined) {
      piece = new Uint32Array(PIECE * ID_WORDS);
      this.#pieces.set(key, piece);
    }
    return piece;
  }

  at(number: number): number {
    return (number % PIECE) * ID_WORDS;
  }

  set(number: number, words: Uint32Array, at: number): void {
    this.words(number).set(words.subarray(at, at + ID_WORDS), this.at(number));
  }

  erase(number: number): void {
    const at = this.at(number);
    this.words(number).fill(0, at, at + ID_WORDS);
  }

  text(number: number): string {
    const words = this.words(number);
    return idAt(new Uint8Array(words.buffer), this.at(number) / ID_WORDS);
  }
}

/** Ids under numbers that the core gives: templates under their slots. */
export class Names {
  readonly #rows = new Rows();
  readonly #index = new IdIndex(this.#rows);

  get size(): number {
    return this.#index.size;
  }

  get bytes(): number {
    return this.#rows.bytes + this.#index.bytes;
  }

  find(words: Uint32Array, at: number): number {
    return this.#index.find(words, at);
  }

  set(number: number, words: Uint32Array, at: number): void {
    this.#rows.set(number, words, at);
    this.#index.add(number);
  }

  erase(number: number): void {
    this.#index.remove(number);
    this.#rows.erase(number);
  }

  text(number: number): string {
    return number === 0 ? '' : this.#rows.text(number);
  }
}

/** Ids under numbers from 1 that are given here, with how many templates each has: users. */
export class CountedNames {
  readonly #names = new Names();
  #counts = new Uint32Array(16);
  #free: number[] = [];
  #last = 0;

  get bytes(): number {
    return this.#names.bytes + this.#counts.byteLength;
  }

  /** The number of an id with one more template; a new one when it had none. */
  enter(words: Uint32Array, at: number): number {
    let number = this.#names.find(words, at);
    if (number === 0) {
      number = this.#free.pop() ?? ++this.#last;
      if (number >= this.#counts.length) this.#enlarge();
      this.#names.set(number, words, at);
    }
    this.#counts[number] = (this.#counts[number] as number) + 1;
    return number;
  }

  /** One template less; without any the number serves somebody else. */
  leave(number: number): void {
    this.#counts[number] = (this.#counts[number] as number) - 1;
    if (this.#counts[number] !== 0) return;
    this.#names.erase(number);
    this.#free.push(number);
  }

  text(number: number): string {
    return this.#names.text(number);
  }

  #enlarge(): void {
    const counts = new Uint32Array(this.#counts.length * 2);
    counts.set(this.#counts);
    this.#counts = counts;
  }
}
