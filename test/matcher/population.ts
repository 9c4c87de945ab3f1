/**
 * Galleries of people who come and go, with the reference beside them, and queries that suit them, for the exactness
 * trial (bench/exact.ts): people with nothing in common, with a strong common mean, of families, near-duplicates, and
 * as the default encoder describes them; probes of people who are there, of strangers, and placed at the threshold, at
 * threshold + margin and at the margin.
 */
import { faces } from '../../bench/data-sets/faces.ts';
import { Random as Normals } from '../../bench/random.ts';
import { below, type Random, random } from './data.ts';
import { FlatReference } from './flat.ts';
import { MARGIN, type StoredTemplate, THRESHOLD } from './reference.ts';

export const CASES = ['easy', 'hard', 'families', 'duplicates', 'faces'] as const;
export type Case = (typeof CASES)[number];

const DIMENSIONS = 128;

/** A gallery that changes, with its reference, and queries that suit it. */
export class Gallery {
  readonly reference = new FlatReference();
  readonly #next: Random;
  readonly #case: Case;
  readonly #prefix: string;
  readonly #centres: readonly Float64Array[];
  readonly #seed: number;
  /** For faces. */
  readonly #normals: Normals;
  #count = 0;
  #strangers = 2 ** 31;

  constructor(name: Case, seed: number, prefix = '') {
    this.#case = name;
    this.#prefix = prefix;
    this.#next = random(seed);
    this.#seed = seed;
    this.#normals = new Normals(seed);
    this.#centres = Array.from({ length: name === 'hard' ? 1 : 60 }, () => this.#direction());
  }

  /** So many people more. The caller changes the reference when the change has taken effect. */
  arrivals(count: number): StoredTemplate[] {
    return Array.from({ length: count }, () => {
      const i = this.#count++;
      // Up to three templates of one user.
      const user = Math.floor(i / (1 + (i % 3)));
      const face = this.#case === 'faces' ? this.#captureOf(user) : this.#person();
      return { id: `${this.#prefix}t${i}`, userId: `${this.#prefix}u${user}`, vector: rounded(face) };
    });
  }

  departures(count: number): string[] {
    const { size, ids } = this.reference;
    return Array.from({ length: size === 0 ? 0 : count }, () => ids[below(this.#next, size)] as string);
  }

  /** 1 to 5 probes of one kind, now and then with somebody else's among them. */
  query(): number[][] {
    const kind = below(this.#next, 5);
    const one = below(this.#next, this.reference.size);
    return Array.from({ length: 1 + below(this.#next, 5) }, (_, i) =>
      Array.from(this.#probe(i > 0 && this.#next() < 0.3 ? 1 : kind, one)),
    );
  }

  #probe(kind: number, one: number): Float64Array {
    const someone = Float64Array.from(this.reference.vector(one));
    if (kind === 0 && this.#case === 'faces')
      return this.#captureOf(Number(this.reference.user(one).slice(this.#prefix.length + 1)));
    if (kind === 0) return mix(someone, 0.6 + 0.4 * this.#next(), this.#direction());
    if (kind === 1) return this.#person();
    const jitter = (this.#next() - 0.5) * 10 ** -(4 + 5 * this.#next());
    if (kind === 2) return mix(someone, 1 - THRESHOLD + jitter, this.#direction());
    if (kind === 3) return mix(someone, 1 - THRESHOLD - MARGIN + jitter, this.#direction());
    return this.#between(someone, jitter);
  }

  /** At some distance from one template, and farther from another by the margin. */
  #between(a: Float64Array, jitter: number): Float64Array {
    for (let tries = 0; tries < 20; tries++) {
      const b = Float64Array.from(this.reference.vector(below(this.#next, this.reference.size)));
      const distance = THRESHOLD * this.#next();
      const [alongA, alongB, cosine] = [1 - distance, 1 - distance - MARGIN + jitter, dot(a, b)];
      const determinant = 1 - cosine * cosine;
      if (determinant < 1e-6) continue;
      const [x, y] = [(alongA - cosine * alongB) / determinant, (alongB - cosine * alongA) / determinant];
      const square = x * alongA + y * alongB;
      if (square > 1) continue;
      const plane = a.map((u, i) => x * u + y * (b[i] as number));
      const other = across(unit(across(this.#direction(), a)), unit(across(b, a)));
      const rest = Math.sqrt(1 - square);
      const off = unit(other);
      return plane.map((u, i) => u + rest * (off[i] as number));
    }
    return mix(a, 1 - THRESHOLD + jitter, this.#direction());
  }

  #person(): Float64Array {
    const centre = this.#centres[below(this.#next, this.#centres.length)] as Float64Array;
    if (this.#case === 'easy' || this.#case === 'faces') return this.#direction();
    if (this.#case === 'hard') return mix(centre, Math.sqrt(0.5 + 0.3 * this.#next()), this.#direction());
    if (this.#case === 'families') return mix(centre, Math.sqrt(0.6 + 0.2 * this.#next()), this.#direction());
    return mix(centre, Math.sqrt(1 - 10 ** -(1 + 6 * this.#next())), this.#direction());
  }

  #captureOf(user: number): Float64Array {
    const person = new Float64Array(DIMENSIONS);
    const capture = new Float64Array(DIMENSIONS);
    faces.person(new Normals(this.#seed, user), person);
    faces.capture(this.#normals, person, capture);
    return capture;
  }

  /** Of faces, where faces lie. */
  #direction(): Float64Array {
    if (this.#case === 'faces') return this.#captureOf(this.#strangers++);
    const next = this.#next;
    return unit(new Float64Array(DIMENSIONS).map(() => next() + next() + next() - 1.5));
  }
}

/** A unit vector at this cosine from `one`, on the side of `other`. */
function mix(one: Float64Array, cosine: number, other: Float64Array): Float64Array {
  const sine = Math.sqrt(Math.max(0, 1 - cosine * cosine));
  const off = unit(across(other, one));
  return one.map((x, i) => cosine * x + sine * (off[i] as number));
}

/** The part of `vector` at a right angle to `unit`. */
function across(vector: Float64Array, unit: Float64Array): Float64Array {
  const along = dot(vector, unit);
  return vector.map((x, i) => x - along * (unit[i] as number));
}

function unit(v: Float64Array): Float64Array {
  const norm = Math.sqrt(dot(v, v));
  return v.map(x => x / norm);
}

function rounded(v: Float64Array): Float32Array {
  return Float32Array.from(unit(v));
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
