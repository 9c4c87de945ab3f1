/**
 * The people of the service trials are those of the data set `faces`, so sign-ins cost what real ones do. As in life,
 * some captures are not recognised: the trials use those of which the float64 reference says that they are.
 */
import type { SyntheticFaces } from '../../src/sdk/browser/testing.ts';
import { normalise } from '../../test/matcher/reference.ts';
import { faces } from '../data-sets/faces.ts';
import { DIMENSIONS } from '../data-sets.ts';
import { Random } from '../random.ts';
import { nearest } from '../search/expected.ts';
import { verdictOf } from '../search/gate.ts';

export type People = Pick<SyntheticFaces, 'genuine' | 'stranger'>;

const SEED = 11;
const [GENUINE, STRANGER] = [1, 2];
/** Captures of a signer that a trial may send: from 1 to this. Capture 0 is enrolled. */
export const CAPTURES = 2;
/** Strangers of whom one is far enough from everybody. */
const STRANGERS = 50;

export const people: People = {
  genuine(person, capture = 0) {
    const centre = new Float64Array(DIMENSIONS);
    faces.personOf(person, centre);
    return captureOf(centre, new Random(SEED, GENUINE, person, capture));
  },
  stranger(n = 0) {
    const centre = new Float64Array(DIMENSIONS);
    const random = new Random(SEED, STRANGER, n);
    faces.person(random, centre);
    return captureOf(centre, random);
  },
};

function captureOf(person: Float64Array, random: Random): number[] {
  const capture = new Float64Array(DIMENSIONS);
  faces.capture(random, person, capture);
  const norm = 0.5 + 1.5 * random.uniform();
  return Array.from(capture, value => value * norm);
}

/** Those of `candidates` whose captures are all recognised among so many people, and a stranger who is near nobody. */
export function clear(count: number, candidates: readonly number[]) {
  const enrolled = Array.from({ length: count }, (_, person) => normalise(people.genuine(person)));
  const vectors = new Float32Array(count * DIMENSIONS);
  for (const [i, vector] of enrolled.entries()) vectors.set(vector, i * DIMENSIONS);
  const users = Uint32Array.from(enrolled, (_, person) => person);
  const found = (probes: readonly number[][]) => nearest({ vectors, users }, probes.map(normalise));
  const isRecognised = candidates.map(() => true);
  for (let capture = 1; capture <= CAPTURES; capture++)
    for (const [i, one] of found(candidates.map(person => people.genuine(person, capture))).entries())
      if (one.user !== candidates[i] || verdictOf(one) !== 'match') isRecognised[i] = false;
  const strangers = found(Array.from({ length: STRANGERS }, (_, n) => people.stranger(n)));
  const stranger = strangers.findIndex(one => verdictOf(one) === 'none');
  if (stranger < 0) throw new Error(`among ${count} people, every stranger is near somebody`);
  return { persons: candidates.filter((_, i) => isRecognised[i]), stranger };
}
