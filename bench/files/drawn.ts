/**
 * Divides the vectors of a file into gallery and probes. The first vector of a person is enrolled, the others are
 * genuine probes; a few people are left out of the gallery, as strangers. Where nobody has a second vector, templates
 * are perturbed instead. Nothing is random but the perturbation, which is seeded. Held by test/bench/files.test.ts.
 */
import { type People, personsOf } from '../../src/calibration/people.ts';
import { captureAt } from '../data-sets/vectors.ts';
import { DIMENSIONS, SEED } from '../data-sets.ts';
import { Random } from '../random.ts';
import type { Kind } from '../search/data.ts';

/** One person in so many is left out of the gallery, but no more than MOST_STRANGERS. */
const PEOPLE_PER_STRANGER = 10;
const MOST_STRANGERS = 100;
/** Cosine of a perturbed vector with its template, as in the data set `easy`. */
export const PERTURBED = 0.8;
/** A seed that no data set has. */
const PERTURB_SEED = 200;

export interface Drawn {
  /** The templates that are enrolled, one of each person. */
  readonly vectors: Float32Array<ArrayBuffer>;
  readonly enrolled: number;
  readonly strangers: number;
  /** Whether genuine probes are perturbed templates. */
  readonly perturbed: boolean;
  /** Vectors of people in the gallery that are not enrolled. */
  readonly others: number;
  /** At most `count` queries of `q` probes, of people among the first `n` of the gallery or of strangers. */
  queries(kind: Kind, q: number, count: number, n: number): number[][][];
}

export function drawn({ vectors, starts }: People): Drawn {
  const persons = personsOf({ vectors, starts, norms: new Float64Array() });
  const strangers = strangersOf(persons);
  const enrolled = Array.from({ length: persons }, (_, p) => p).filter(p => !strangers.has(p));
  const row = (i: number) => vectors.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS);
  const from = (person: number) => starts[person] as number;
  const end = (person: number) => starts[person + 1] as number;
  const gallery = new Float32Array(enrolled.length * DIMENSIONS);
  for (const [i, person] of enrolled.entries()) gallery.set(row(from(person)), i * DIMENSIONS);
  const others = enrolled.reduce((sum, person) => sum + end(person) - from(person) - 1, 0);

  /** Queries of the given people: their rows after `skip`, `q` at a time. */
  const real = (people: readonly number[], skip: number, q: number, count: number) => {
    const firsts = people.flatMap(person => {
      const groups = Math.floor((end(person) - from(person) - skip) / q);
      return Array.from({ length: groups }, (_, group) => from(person) + skip + group * q);
    });
    return spread(firsts, count).map(first =>
      Array.from({ length: q }, (_, i) => Array.from(row(first + i))),
    );
  };
  return {
    vectors: gallery,
    enrolled: enrolled.length,
    strangers: strangers.size,
    perturbed: others === 0,
    others,
    queries(kind, q, count, n) {
      if (kind === 'stranger') return real([...strangers], 0, q, count);
      const first = enrolled.slice(0, n);
      if (others > 0) return real(first, 1, q, count);
      return spread(first, q === 1 ? count : 0).map(person => [perturbed(row(from(person)), person)]);
    },
  };
}

function strangersOf(persons: number): ReadonlySet<number> {
  const count = Math.min(MOST_STRANGERS, Math.floor(persons / PEOPLE_PER_STRANGER));
  return new Set(Array.from({ length: count }, (_, i) => Math.floor(((i + 0.5) * persons) / count)));
}

/** At most `count` of the values, evenly spread. */
function spread<T>(values: readonly T[], count: number): T[] {
  const taken = Math.min(count, values.length);
  return Array.from(
    { length: taken },
    (_, i) => values[Math.floor(((i + 0.5) * values.length) / taken)] as T,
  );
}

const capture = captureAt(PERTURBED);

function perturbed(template: Float32Array, person: number): number[] {
  const target = new Float64Array(DIMENSIONS);
  capture(new Random(SEED, PERTURB_SEED, person), Float64Array.from(template), target);
  return Array.from(target);
}
