/** usearch: its exact search over the flat gallery, on one thread. */
import type { Maker } from '../engines.ts';
import { DIMENSIONS } from '../search/data.ts';
import { inProcess, neighboursIn } from './in-process.ts';
import { peer } from './missing.ts';

interface Found {
  readonly keys: BigUint64Array;
  readonly distances: Float32Array;
}
type Vectors = Float32Array;
interface Usearch {
  exactSearch(all: Vectors, probes: Vectors, dims: number, k: number, metric: string, threads: number): Found;
}

export const usearch: Maker = {
  names: ['usearch-exact'],
  async make({ vectors, users }) {
    const { module, version } = peer<Usearch>('usearch');
    const count = neighboursIn(users);
    // Squared Euclidean distance is its fastest metric; for vectors of norm 1 the order is the same as by cosine.
    const search = (probes: Vectors) => module.exactSearch(vectors, probes, DIMENSIONS, count, 'l2sq', 1);
    return [
      {
        name: 'usearch-exact',
        settings: '',
        threads: 1,
        rule: 'exact',
        about: `usearch ${version}, prebuilt, SIMD chosen at run time`,
        bytes: vectors.byteLength,
        load_s: 0,
        turn: inProcess(
          // All probes of a query in one call, which is faster than one call for each.
          ({ units }) => Float32Array.from(units.flatMap(unit => Array.from(unit))),
          search,
          ({ keys, distances }) => {
            let best = 0;
            for (let i = count; i < keys.length; i += count)
              if ((distances[i] as number) < (distances[best] as number)) best = i;
            return { template: Number(keys[best]), distance: (distances[best] as number) / 2 };
          },
        ),
        close: () => {},
      },
    ];
  },
};
