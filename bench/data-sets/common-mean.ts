/**
 * Faces that are not centred: all people share a strong common mean. In `shifted` the rest points in all directions, in
 * `hard` in about 30.
 */
import { type DataSet, DIMENSIONS, SEED } from '../data-sets.ts';
import { Random } from '../random.ts';
import { isotropic, mix, unit, without } from './vectors.ts';

/** Squared cosine of the common mean with every person: what two strangers share. */
const SHARED = 0.5;
const GENUINE = 0.89;
/** How fast the energy falls from direction to direction; about 30 directions hold most of it. */
const DECAY = 15;
const MEAN = 3;

const mean = new Float64Array(DIMENSIONS);
isotropic(new Random(SEED, MEAN), mean);

const AMPLITUDES = Float64Array.from({ length: DIMENSIONS }, (_, i) => Math.exp(-i / DECAY / 2));
const SIGNS = Float64Array.from({ length: DIMENSIONS }, (_, i) =>
  new Random(SEED, i).uniform() < 0.5 ? 1 : -1,
);

export const hard: DataSet = {
  name: 'hard',
  seed: 1,
  files: [import.meta.filename],
  person(random, target) {
    random.normals(target);
    spectrum(target);
    aroundMean(unit(target), target);
  },
  capture,
};

export const shifted: DataSet = {
  name: 'shifted',
  seed: 2,
  files: [import.meta.filename],
  person(random, target) {
    isotropic(random, target);
    aroundMean(target, target);
  },
  capture,
};

function aroundMean(own: Float64Array, target: Float64Array): void {
  mix(mean, Math.sqrt(SHARED), Float64Array.from(own), target);
}

/** The mean stays; only the person's own part varies. */
function capture(this: DataSet, random: Random, template: Float64Array, target: Float64Array): void {
  const noise = new Float64Array(DIMENSIONS);
  this.person(random, noise);
  mix(without(template, mean), (GENUINE - SHARED) / (1 - SHARED), without(noise, mean), target);
  aroundMean(target, target);
}

/** Energy that falls off from direction to direction, rotated (Hadamard) so that no axis stands out. */
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

const at = (values: Float64Array, i: number) => values[i] as number;
