/**
 * The galleries and probes of the search bench, made by the data sets of data-sets/. All are seeded, and the first n
 * templates of a larger gallery are the gallery of n. Checked by test/bench/data.test.ts.
 */
import { join } from 'node:path';
import { DATA_SETS } from '../data-sets/all.ts';
import { type DataSet, DIMENSIONS, SEED } from '../data-sets.ts';
import { Random } from '../random.ts';

export { DIMENSIONS } from '../data-sets.ts';

/** Name of a data set. */
export type Data = string;
export const DATA: readonly Data[] = DATA_SETS.map(({ name }) => name);
export const KINDS = ['genuine', 'stranger'] as const;
export type Kind = (typeof KINDS)[number];

export interface Templates {
  readonly vectors: Float32Array;
  /** User of each template, counted from 1. */
  readonly users: Uint32Array;
}

const CAPTURE = 1;
const STRANGER = 2;

/** @throws Error when there is no data set of that name */
export function dataSet(data: Data): DataSet {
  const found = DATA_SETS.find(({ name }) => name === data);
  if (!found) throw new Error(`there is no data set "${data}"; there are ${DATA.join(', ')}`);
  return found;
}

/** The files that decide the content of a gallery. */
export const sourcesOf = (data: Data): string[] => [
  ...['data.ts', '../data-sets.ts', '../data-sets/vectors.ts', '../random.ts'].map(file =>
    join(import.meta.dirname, file),
  ),
  ...dataSet(data).files,
];

/** @param onMade gets the number of templates made so far */
export function templates(
  data: Data | DataSet,
  n: number,
  onMade: (count: number) => void = () => {},
): Templates {
  const set = typeof data === 'string' ? dataSet(data) : data;
  const vectors = new Float32Array(n * DIMENSIONS);
  const users = Uint32Array.from({ length: n }, (_, i) => i + 1);
  const random = new Random(SEED, set.seed);
  if (set.fill) set.fill(random, vectors, users);
  else {
    const [person, template] = [new Float64Array(DIMENSIONS), new Float64Array(DIMENSIONS)];
    for (let i = 0; i < n; i++) {
      if (set.personOf) {
        set.personOf(i, person);
        set.capture(random, person, template);
      } else set.person(random, template);
      vectors.set(template, i * DIMENSIONS);
      if (i % 4096 === 0) onMade(i);
    }
  }
  return { vectors, users };
}

/**
 * Probe number `probe` of query number `query`: a new capture of a person in the gallery, or of a stranger. As encoders
 * return it, it is not normalised; its norm lies between 0.5 and 2.
 */
export function probe(
  data: Data | DataSet,
  vectors: Float32Array,
  kind: Kind,
  query: number,
  probe: number,
): number[] {
  const set = typeof data === 'string' ? dataSet(data) : data;
  const random = new Random(SEED, set.seed, kind === 'genuine' ? CAPTURE : STRANGER, query, probe);
  const person = new Float64Array(DIMENSIONS);
  if (kind === 'genuine') {
    const template = (query * 7919 + 13) % (vectors.length / DIMENSIONS);
    if (set.personOf) set.personOf(template, person);
    else person.set(vectors.subarray(template * DIMENSIONS, (template + 1) * DIMENSIONS));
  } else set.person(new Random(SEED, set.seed, STRANGER, query), person);
  const result = new Float64Array(DIMENSIONS);
  set.capture(random, person, result);
  const norm = 0.5 + 1.5 * random.uniform();
  return Array.from(result, value => value * norm);
}
