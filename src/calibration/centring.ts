/**
 * Does the encoder need centring? Some encoders (dlib, face-api) add the same large vector to every face, so all
 * descriptors point nearly the same way and everybody matches everybody. Subtracting the mean descriptor separates the
 * persons. The page must do that where it makes descriptors, for enrolments and sign-ins alike; the service cannot do
 * it afterwards. Held by test/calibration/report.test.ts.
 */
import { DIMENSIONS } from '../ports/template-rows.ts';
import type { Tally } from './comparisons.ts';
import { seededDraw, shuffle } from './draw.ts';
import { type People, personsOf, putUnit } from './people.ts';
import { quantile } from './thresholds.ts';

/**
 * - `needed`: at least half of the comparisons of different persons lie below the threshold.
 * - `advised`: different persons are too near each other; they should be about 1 apart.
 */
export type CentringVerdict = 'needed' | 'advised' | 'not needed';

/**
 * With a centred encoder, persons are about 1 apart. An encoder that is scaled on purpose, like the SDK's
 * MobileFaceNet, may have them at 0.65, and subtracting a mean would undo its scale.
 */
const COMMON_BELOW = 0.6;
/** With this many persons or more, one half gives the mean and the other half the figures. */
const SPLIT_FROM = 20;

export function centringVerdict(impostor: Tally, threshold: number): CentringVerdict {
  if (impostor.comparisons === 0) return 'not needed';
  if (quantile(0.5, impostor) < threshold) return 'needed';
  return impostor.sum / impostor.comparisons < COMMON_BELOW ? 'advised' : 'not needed';
}

/** The mean of the persons' mean descriptors, before normalisation. @param chosen persons; default all */
export function meanOf(people: People, chosen?: Uint32Array): Float64Array {
  const persons = chosen ?? Uint32Array.from({ length: personsOf(people) }, (_, p) => p);
  const mean = new Float64Array(DIMENSIONS);
  for (const p of persons) {
    const [from, end] = [people.starts[p] as number, people.starts[p + 1] as number];
    for (let row = from; row < end; row++) {
      const share = (people.norms[row] as number) / (end - from) / persons.length;
      for (let i = 0; i < DIMENSIONS; i++)
        (mean[i] as number) += share * (people.vectors[row * DIMENSIONS + i] as number);
    }
  }
  return mean;
}

export interface Centred {
  /** The persons to take figures from. */
  readonly people: People;
  /** Whether the mean comes from other persons. With too few persons it is their own, which makes figures too good. */
  readonly meanOfOthers: boolean;
}

export function centred(people: People, seed: number): Centred {
  const persons = personsOf(people);
  const order = Uint32Array.from({ length: persons }, (_, p) => p);
  if (persons < SPLIT_FROM) return { people: without(people, order, meanOf(people)), meanOfOthers: false };
  shuffle(order, seededDraw(seed));
  const half = Math.floor(persons / 2);
  const mean = meanOf(people, order.subarray(0, half));
  return { people: without(people, order.slice(half).sort(), mean), meanOfOthers: true };
}

/** The chosen persons, with the mean subtracted from their descriptors, normalised again. */
function without({ vectors, norms, starts }: People, chosen: Uint32Array, mean: Float64Array): People {
  const ends = new Uint32Array(chosen.length + 1);
  chosen.forEach((p, i) => {
    ends[i + 1] = (ends[i] as number) + (starts[p + 1] as number) - (starts[p] as number);
  });
  const rows = ends.at(-1) as number;
  const moved = { vectors: new Float32Array(rows * DIMENSIONS), norms: new Float64Array(rows), starts: ends };
  const numbers = new Float64Array(DIMENSIONS);
  chosen.forEach((p, at) => {
    for (let row = starts[p] as number; row < (starts[p + 1] as number); row++) {
      for (let i = 0; i < DIMENSIONS; i++)
        numbers[i] = (vectors[row * DIMENSIONS + i] as number) * (norms[row] as number) - (mean[i] as number);
      const to = (ends[at] as number) + row - (starts[p] as number);
      moved.norms[to] = putUnit(numbers, moved.vectors, to);
    }
  });
  return moved;
}
