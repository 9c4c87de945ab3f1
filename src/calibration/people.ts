/**
 * The labelled descriptors of a calibration, prepared the way the service prepares stored templates: normalised in
 * double precision and rounded once to float32. Memory stays bounded for files of any length: above `most` descriptors,
 * whole persons are left out. The seed and the label alone decide who, so the order of lines does not matter. The
 * reader has already refused vectors without a direction; nothing else is refused here. Held by
 * test/calibration/people.test.ts.
 */
import { DIMENSIONS } from '../ports/template-rows.ts';
import { hashed } from './draw.ts';

/** Descriptors kept in total: about 260 MB. */
const MOST = 500_000;
/** Descriptors kept per person. With more, one person would dominate the figures. */
const MOST_OF_ONE = 1_000;

export interface People {
  /** `norms.length` rows of 128. A person's rows are consecutive, in the order given. */
  readonly vectors: Float32Array;
  /** Norms of the descriptors before they were normalised. */
  readonly norms: Float64Array;
  /** First row of each person, followed by the total number of rows. */
  readonly starts: Uint32Array;
}

export interface Kept {
  readonly people: People;
  /** Label and group of each person. A group of null means none. */
  readonly labels: readonly string[];
  readonly groups: readonly (string | null)[];
  /** Descriptors left out: `byPerson` because the whole person was, `beyondMost` because the person has too many. */
  readonly leftOut: { readonly byPerson: number; readonly beyondMost: number };
}

export const personsOf = ({ starts }: People): number => starts.length - 1;
export const descriptorsOf = ({ norms }: People): number => norms.length;

/**
 * Distance of two rows, as the reference defines it: 1 minus the dot product, summed in double in index order.
 * Unrolling the loop to four products, still added in order, saves a third of the time.
 */
export function between(vectors: Float32Array, a: number, b: number): number {
  let dot = 0;
  let i = a * DIMENSIONS;
  let j = b * DIMENSIONS;
  for (const end = i + DIMENSIONS; i < end; i += 4, j += 4) {
    dot += (vectors[i] as number) * (vectors[j] as number);
    dot += (vectors[i + 1] as number) * (vectors[j + 1] as number);
    dot += (vectors[i + 2] as number) * (vectors[j + 2] as number);
    dot += (vectors[i + 3] as number) * (vectors[j + 3] as number);
  }
  return 1 - dot;
}

/**
 * Normalises `numbers`, writes the result to a row and returns the norm. Dividing by the power of two at or below the
 * largest number first is exact, so huge and tiny numbers keep their direction. A vector too short to have a direction
 * becomes zeros, with norm 0.
 */
export function putUnit(numbers: ArrayLike<number>, vectors: Float32Array, row: number): number {
  let largest = 0;
  for (let i = 0; i < DIMENSIONS; i++) largest = Math.max(largest, Math.abs(numbers[i] as number));
  const scale = largest > 0 ? 2 ** Math.min(1_023, Math.floor(Math.log2(largest))) : 1;
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i++) sum += ((numbers[i] as number) / scale) ** 2;
  const norm = Math.sqrt(sum);
  for (let i = 0; i < DIMENSIONS; i++)
    vectors[row * DIMENSIONS + i] = norm > 0 ? (numbers[i] as number) / scale / norm : 0;
  return norm * scale;
}

/** A copy of the listed persons, in the order of the list. */
export function peopleOf({ vectors, norms, starts }: People, persons: ArrayLike<number>): People {
  const ends = new Uint32Array(persons.length + 1);
  for (let i = 0; i < persons.length; i++) {
    const p = persons[i] as number;
    ends[i + 1] = (ends[i] as number) + (starts[p + 1] as number) - (starts[p] as number);
  }
  const rows = ends[persons.length] as number;
  const chosen = {
    vectors: new Float32Array(rows * DIMENSIONS),
    norms: new Float64Array(rows),
    starts: ends,
  };
  for (let i = 0; i < persons.length; i++) {
    const p = persons[i] as number;
    const [from, end] = [starts[p] as number, starts[p + 1] as number];
    chosen.vectors.set(
      vectors.subarray(from * DIMENSIONS, end * DIMENSIONS),
      (ends[i] as number) * DIMENSIONS,
    );
    chosen.norms.set(norms.subarray(from, end), ends[i] as number);
  }
  return chosen;
}

interface Person {
  readonly number: number;
  count: number;
  group: string | null;
}

/** The person was in another group before. */
export class TwoGroups extends Error {
  readonly before: string;

  constructor(before: string) {
    super('a person is in two groups');
    this.before = before;
  }
}

/** Collects descriptors one at a time. */
export class DescriptorCollector {
  readonly #seed: number;
  readonly #most: number;
  readonly #mostOfOne: number;
  /** By label. */
  #persons = new Map<string, Person>();
  #vectors = new Float32Array(1_024 * DIMENSIONS);
  #norms = new Float64Array(1_024);
  #owners = new Uint32Array(1_024);
  #count = 0;
  /** Only persons whose hash ends with this many zero bits are kept. */
  #level = 0;
  #byPerson = 0;
  #beyondMost = 0;

  constructor(seed: number, most = MOST, mostOfOne = MOST_OF_ONE) {
    this.#seed = seed;
    this.#most = most;
    this.#mostOfOne = Math.min(mostOfOne, most);
  }

  /**
   * @param numbers 128 finite numbers, not all of them (nearly) zero
   * @throws TwoGroups for a person who is kept; nothing is remembered about persons who are left out
   */
  add(label: string, numbers: readonly number[], group: string | null = null): void {
    if (!this.#chosen(label)) {
      this.#byPerson++;
      return;
    }
    if (this.#count === this.#most) {
      this.#thin();
      this.add(label, numbers, group);
      return;
    }
    let person = this.#persons.get(label);
    if (!person) {
      person = { number: this.#persons.size, count: 0, group };
      this.#persons.set(label, person);
    }
    if (group !== null && person.group !== null && group !== person.group) throw new TwoGroups(person.group);
    person.group ??= group;
    if (person.count === this.#mostOfOne) {
      this.#beyondMost++;
      return;
    }
    person.count++;
    if (this.#count === this.#norms.length) this.#grow();
    this.#norms[this.#count] = putUnit(numbers, this.#vectors, this.#count);
    this.#owners[this.#count++] = person.number;
  }

  end(): Kept {
    const starts = new Uint32Array(this.#persons.size + 1);
    for (let i = 0; i < this.#count; i++) (starts[(this.#owners[i] as number) + 1] as number)++;
    for (let i = 1; i < starts.length; i++) (starts[i] as number) += starts[i - 1] as number;
    const next = starts.slice();
    const vectors = new Float32Array(this.#count * DIMENSIONS);
    const norms = new Float64Array(this.#count);
    for (let i = 0; i < this.#count; i++) {
      const row = (next[this.#owners[i] as number] as number)++;
      vectors.set(this.#vectors.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS), row * DIMENSIONS);
      norms[row] = this.#norms[i] as number;
    }
    const leftOut = { byPerson: this.#byPerson, beyondMost: this.#beyondMost };
    const labels = [...this.#persons.keys()];
    const groups = Array.from(this.#persons.values(), ({ group }) => group);
    return { people: { vectors, norms, starts }, labels, groups, leftOut };
  }

  #chosen(label: string): boolean {
    return this.#level === 0 || hashed(label, this.#seed) % 2 ** this.#level === 0;
  }

  /** Leaves out every second person. */
  #thin(): void {
    this.#level++;
    const numbers = new Map<number, number>();
    const kept = new Map<string, Person>();
    for (const [label, { number, ...rest }] of this.#persons) {
      if (!this.#chosen(label)) continue;
      numbers.set(number, kept.size);
      kept.set(label, { ...rest, number: kept.size });
    }
    let to = 0;
    for (let i = 0; i < this.#count; i++) {
      const owner = numbers.get(this.#owners[i] as number);
      if (owner === undefined) continue;
      this.#vectors.copyWithin(to * DIMENSIONS, i * DIMENSIONS, (i + 1) * DIMENSIONS);
      this.#norms[to] = this.#norms[i] as number;
      this.#owners[to++] = owner;
    }
    this.#byPerson += this.#count - to;
    this.#count = to;
    this.#persons = kept;
  }

  #grow(): void {
    const size = Math.min(this.#most, this.#norms.length * 2);
    const grown = <Numbers extends Float32Array | Float64Array | Uint32Array>(to: Numbers, from: Numbers) => {
      to.set(from.subarray(0, to.length));
      return to;
    };
    this.#vectors = grown(new Float32Array(size * DIMENSIONS), this.#vectors);
    this.#norms = grown(new Float64Array(size), this.#norms);
    this.#owners = grown(new Uint32Array(size), this.#owners);
  }
}
