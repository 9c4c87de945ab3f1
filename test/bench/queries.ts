/** Queries of the search bench with their right answers, on galleries small enough for tests. */
import { type DataSet, DIMENSIONS } from '../../bench/data-sets.ts';
import { type Data, type Kind, probe, templates } from '../../bench/search/data.ts';
import { combined, nearest, type Query } from '../../bench/search/expected.ts';
import type { Gallery } from '../../bench/search/gallery.ts';
import { normalise } from '../matcher/reference.ts';

export function benchQueries(data: Data | DataSet, n: number, kind: Kind, q: number, count = 8) {
  const made = templates(data, n);
  const gallery = {
    ...made,
    data: 'test',
    n,
    key: '',
    folder: '',
    vectorsFile: '',
    usersFile: '',
  } satisfies Gallery;
  const raw = Array.from({ length: count }, (_, i) =>
    Array.from({ length: q }, (_, p) => probe(data, made.vectors, kind, i, p)),
  );
  const units = raw.map(probes => probes.map(normalise));
  const single = nearest(made, units.flat());
  const queries = raw.map(
    (probes, i): Query => ({
      raw: probes,
      units: units[i] as Float32Array[],
      expected: combined(single.slice(i * q, (i + 1) * q)),
    }),
  );
  return { gallery, queries };
}

export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < DIMENSIONS; i++) {
    const [x, y] = [a[i] as number, b[i] as number];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return ab / Math.sqrt(aa * bb);
}

/** What a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
