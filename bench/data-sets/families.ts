/** Families of 2 to 6 people, each with 1 to 3 templates; templates of siblings have a cosine of 0.3 to 0.5. */
import { type DataSet, DIMENSIONS } from '../data-sets.ts';
import type { Random } from '../random.ts';
import { captureAt, isotropic, mix } from './vectors.ts';

const GENUINE = 0.8;

export const families: DataSet = {
  name: 'families',
  seed: 3,
  files: [import.meta.filename],
  person: isotropic,
  capture: captureAt(GENUINE),
  fill,
};

function fill(random: Random, vectors: Float32Array, users: Uint32Array): void {
  const vector = () => new Float64Array(DIMENSIONS);
  const [family, own, person, noise] = [vector(), vector(), vector(), vector()];
  const likeness = Math.sqrt(GENUINE);
  for (let i = 0, user = 1; i < users.length; ) {
    isotropic(random, family);
    const shared = (0.3 + 0.2 * random.uniform()) / GENUINE;
    for (let people = 2 + random.index(5); people > 0; people--, user++) {
      isotropic(random, own);
      mix(family, Math.sqrt(shared), own, person);
      for (let count = 1 + random.index(3); count > 0 && i < users.length; count--, i++) {
        isotropic(random, noise);
        mix(person, likeness, noise, own);
        vectors.set(own, i * DIMENSIONS);
        users[i] = user;
      }
    }
  }
}
