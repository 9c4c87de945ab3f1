/**
 * Faces as the default encoder describes them: nearly all of the energy in about 57 of the 128 directions, more of it
 * in some than in others, and a common mean. Every capture varies around the person, a template as well as a probe.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataSet, DIMENSIONS, SEED } from '../data-sets.ts';
import { Random } from '../random.ts';
import { orthonormal, unit } from './vectors.ts';

const NUMBERS = join(import.meta.dirname, 'faces.json');
const SET = 5;
/** Third parts of seeds, beside those of probes. */
const [PEOPLE, AXES] = [3, 4];

const { mean, between, within }: Readonly<Record<'mean' | 'between' | 'within', readonly number[]>> =
  JSON.parse(readFileSync(NUMBERS, 'utf8'));
const spreadOf = (variances: readonly number[]) => Float64Array.from(variances, Math.sqrt);
const [MEAN, BETWEEN, WITHIN] = [Float64Array.from(mean), spreadOf(between), spreadOf(within)];
const COUNT = MEAN.length;
/** Four draws make one number: a single one lacks the tails that count among a million. */
const DRAWS = new Float64Array(4 * COUNT);
/** Number i of every axis, then number i + 1. */
const AXES_OF_FACES = new Float64Array(COUNT * DIMENSIONS);
for (const [k, value] of orthonormal(new Random(SEED, SET, AXES), COUNT).entries())
  AXES_OF_FACES[(k % DIMENSIONS) * COUNT + Math.floor(k / DIMENSIONS)] = value;

export const faces = {
  name: 'faces',
  seed: SET,
  files: [import.meta.filename, NUMBERS],
  person: (random, target) => around(MEAN, BETWEEN, random, target),
  capture(random, person, target) {
    const along = new Float64Array(COUNT);
    around(person, WITHIN, random, along);
    for (let i = 0; i < DIMENSIONS; i++) {
      let sum = 0;
      for (let axis = 0; axis < COUNT; axis++) sum += at(along, axis) * at(AXES_OF_FACES, i * COUNT + axis);
      target[i] = sum;
    }
    unit(target);
  },
  personOf(template, target) {
    this.person(new Random(SEED, SET, PEOPLE, template), target);
  },
} satisfies DataSet;

/** Numbers along the axes of faces, which are fewer than `target` may hold. */
function around(centre: Float64Array, spread: Float64Array, random: Random, target: Float64Array): void {
  random.normals(DRAWS);
  for (let axis = 0; axis < COUNT; axis++) {
    let sum = 0;
    for (let draw = axis; draw < DRAWS.length; draw += COUNT) sum += at(DRAWS, draw);
    target[axis] = at(centre, axis) + (sum / 2) * at(spread, axis);
  }
}

const at = (values: Float64Array, i: number) => values[i] as number;
