/**
 * The galleries of the search trial: five kinds of synthetic people, each with its own difficulty, seeded, and such that
 * the first n templates of a larger gallery are the gallery of n. README.md defines them by the cosines that they have;
 * test/repo/bench-data.test.ts holds those.
 */
import { Random } from '../random.ts';

export const DIMENSIONS = 128;
export const DATA = ['easy', 'hard', 'shifted', 'families', 'near-duplicates'] as const;
export type Data = (typeof DATA)[number];
export const KINDS = ['genuine', 'stranger'] as const;
export type Kind = (typeof KINDS)[number];

export interface Templates {
  readonly vectors: Float32Array;
  /** Of each template, from 1. */
  readonly users: Uint32Array;
}

/** Cosine of the common mean with everybody, squared: what two strangers share. */
const SHARED = 0.5;
/** How fast the energy falls from direction to direction in `hard`; about 30 directions hold most of it. */
const DECAY = 15;
const GENUINE = 0.8;
const GENUINE_HARD = 0.89;
const SEED = 20240;
const CAPTURE = 1;
const OUTSIDE = 2;
const MEAN = 3;
const GROUP = 1000;

export function templates(data: Data, n: number): Templates {
  const vectors = new Float32Array(n * DIMENSIONS);
  const users = Uint32Array.from({ length: n }, (_, i) => i + 1);
  const random = new Random(SEED, DATA.indexOf(data));
  if (data === 'families') families(random, vectors, users);
  else if (data === 'near-duplicates') nearDuplicates(random, vectors);
  else {
    const person = new Float64Array(DIMENSIONS);
    for (let i = 0; i < n; i++) {
      draw(data, random, person);
      vectors.set(person, i * DIMENSIONS);
    }
  }
  return { vectors, users };
}

/**
 * Probe number `probe` of query number `query`: a new capture of a person of the gallery, or of somebody who is not in
 * it. Not normalised, as encoders give it; its norm lies between 0.5 and 2.
 */
export function probe(data: Data, vectors: Float32Array, kind: Kind, query: number, probe: number): number[] {
  const n = vectors.length / DIMENSIONS;
  const result = new Float64Array(DIMENSIONS);
  const random = new Random(SEED, DATA.indexOf(data), kind === 'genuine' ? CAPTURE : OUTSIDE, query, probe);
  if (kind === 'genuine') {
    const from = ((query * 7919 + 13) % n) * DIMENSIONS;
    capture(data, random, Float64Array.from(vectors.subarray(from, from + DIMENSIONS)), result);
  } else {
    const outside = new Float64Array(DIMENSIONS);
    draw(data, new Random(SEED, DATA.indexOf(data), OUTSIDE, query), outside);
    capture(data, random, outside, result);
  }
  const norm = 0.5 + 1.5 * random.uniform();
  return Array.from(result, value => value * norm);
}

/** Another capture of the same face: at the genuine cosine from `template`, else in a random direction of the data. */
function capture(data: Data, random: Random, template: Float64Array, target: Float64Array): void {
  const noise = new Float64Array(DIMENSIONS);
  draw(data, random, noise);
  if (!(data === 'hard' || data === 'shifted')) {
    mix(template, GENUINE, noise, target);
    return;
  }
  // The mean stays; what the person has of his own is what varies.
  const mean = commonMean();
  const own = without(template, mean);
  const other = without(noise, mean);
  mix(own, (GENUINE_HARD - SHARED) / (1 - SHARED), other, target);
  mix(mean, Math.sqrt(SHARED), Float64Array.from(target), target);
}

/** A new person. */
function draw(data: Data, random: Random, target: Float64Array): void {
  random.normals(target);
  if (data === 'hard') spectrum(target);
  unit(target);
  if (data !== 'hard' && data !== 'shifted') return;
  mix(commonMean(), Math.sqrt(SHARED), Float64Array.from(target), target);
}

/** Families of 2 to 6 people, each with 1 to 3 templates; templates of siblings have a cosine of 0.3 to 0.5. */
function families(random: Random, vectors: Float32Array, users: Uint32Array): void {
  const [family, own, person, noise] = [0, 0, 0, 0].map(() => new Float64Array(DIMENSIONS)) as Four;
  const likeness = Math.sqrt(GENUINE);
  for (let i = 0, user = 1; i < users.length; ) {
    draw('families', random, family);
    const shared = (0.3 + 0.2 * random.uniform()) / GENUINE;
    for (let people = 2 + random.index(5); people > 0; people--, user++) {
      draw('families', random, own);
      mix(family, Math.sqrt(shared), own, person);
      for (let count = 1 + random.index(3); count > 0 && i < users.length; count--, i++) {
        draw('families', random, noise);
        mix(person, likeness, noise, own);
        vectors.set(own, i * DIMENSIONS);
        users[i] = user;
      }
    }
  }
}
type Four = [Float64Array, Float64Array, Float64Array, Float64Array];

/** Groups of 1,000 users whose templates are nearly one; every hundredth is a copy of the one before it. */
function nearDuplicates(random: Random, vectors: Float32Array): void {
  const [centre, noise, made] = [0, 0, 0].map(() => new Float64Array(DIMENSIONS)) as unknown as Four;
  for (let i = 0; i < vectors.length / DIMENSIONS; i++) {
    if (i % GROUP === 0) draw('near-duplicates', random, centre);
    draw('near-duplicates', random, noise);
    const apart = 10 ** -(3 + 4 * random.uniform());
    if (i % 100 !== 99) mix(centre, 1 - apart, noise, made);
    vectors.set(made, i * DIMENSIONS);
  }
}

let mean: Float64Array | undefined;
function commonMean(): Float64Array {
  if (mean === undefined) {
    mean = new Float64Array(DIMENSIONS);
    new Random(SEED, MEAN).normals(mean);
    unit(mean);
  }
  return mean;
}

const AMPLITUDES = Float64Array.from({ length: DIMENSIONS }, (_, i) => Math.exp(-i / DECAY / 2));
const SIGNS = Float64Array.from({ length: DIMENSIONS }, (_, i) =>
  new Random(SEED, i).uniform() < 0.5 ? 1 : -1,
);

/** Energy that falls off from direction to direction, turned (Hadamard) so that no axis stands out. */
function spectrum(vector: Float64Array): void {
  for (let i = 0; i < DIMENSIONS; i++) vector[i] = at(vector, i) * at(AMPLITUDES, i) * at(SIGNS, i);
  for (let half = 1; half < DIMENSIONS; half *= 2)
    for (let i = 0; i < DIMENSIONS; i += 2 * half)
      for (let j = i; j < i + half; j++) {
        const [x, y] = [at(vector, j), at(vector, j + half)];
        vector[j] = x + y;
        vector[j + half] = x - y;
      }
}

/** The point at this cosine from the unit vector `a`, in the direction of `b`; `a` and `b` are not changed. */
function mix(a: Float64Array, cosine: number, b: Float64Array, target: Float64Array): void {
  const across = dot(a, b);
  let square = 0;
  for (let i = 0; i < DIMENSIONS; i++) {
    const rest = at(b, i) - across * at(a, i);
    target[i] = rest;
    square += rest * rest;
  }
  const sine = Math.sqrt((1 - cosine * cosine) / square);
  for (let i = 0; i < DIMENSIONS; i++) target[i] = cosine * at(a, i) + sine * at(target, i);
}

/** The part of `vector` at right angles to a unit vector, at norm 1. */
function without(vector: Float64Array, axis: Float64Array): Float64Array {
  const along = dot(vector, axis);
  return unit(vector.map((value, i) => value - along * at(axis, i)));
}

function unit(vector: Float64Array): Float64Array {
  const norm = Math.sqrt(dot(vector, vector));
  for (let i = 0; i < DIMENSIONS; i++) vector[i] = at(vector, i) / norm;
  return vector;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i++) sum += at(a, i) * at(b, i);
  return sum;
}

const at = (values: Float64Array, i: number) => values[i] as number;
