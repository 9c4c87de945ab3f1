/** Groups of 1,000 users with nearly the same template; every hundredth is a copy of the one before it. */
import { type DataSet, DIMENSIONS } from '../data-sets.ts';
import type { Random } from '../random.ts';
import { captureAt, isotropic, mix } from './vectors.ts';

const GROUP = 1000;

export const nearDuplicates: DataSet = {
  name: 'near-duplicates',
  seed: 4,
  files: [import.meta.filename],
  person: isotropic,
  capture: captureAt(0.8),
  fill,
};

function fill(random: Random, vectors: Float32Array): void {
  const vector = () => new Float64Array(DIMENSIONS);
  const [centre, noise, template] = [vector(), vector(), vector()];
  for (let i = 0; i < vectors.length / DIMENSIONS; i++) {
    if (i % GROUP === 0) isotropic(random, centre);
    isotropic(random, noise);
    const apart = 10 ** -(3 + 4 * random.uniform());
    if (i % 100 !== 99) mix(centre, 1 - apart, noise, template);
    vectors.set(template, i * DIMENSIONS);
  }
}
