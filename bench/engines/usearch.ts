/** usearch: its exact search over the flat gallery, and its HNSW graph. One thread searches, two build. */
import { rmSync, statSync } from 'node:fs';
import type { Answer, Engine, Maker } from '../engines.ts';
import { DIMENSIONS } from '../search/data.ts';
import type { Query } from '../search/expected.ts';
import type { Gallery } from '../search/gallery.ts';
import { BUILD_THREADS, each, type Graph, graphFile, settingsOf } from '../search/graphs.ts';
import { inProcess, upkeepOf } from './in-process.ts';
import { peer } from './missing.ts';

interface Found {
  readonly keys: BigUint64Array;
  readonly distances: Float32Array;
}
interface Index {
  add(keys: bigint | BigUint64Array, vectors: Float32Array, threads: number): void;
  search(probe: Float32Array, count: number, threads: number): Found;
  remove(key: bigint): unknown;
  save(file: string): void;
  load(file: string): void;
}
interface Usearch {
  readonly Index: new (settings: Readonly<Record<string, string | number | boolean>>) => Index;
  exactSearch(
    all: Float32Array,
    probes: Float32Array,
    dims: number,
    k: number,
    metric: string,
    threads: number,
  ): Found;
}

/** The two nearest templates. */
const COUNT = 2;
/** Templates between two reports of progress. */
const ADD_AT_ONCE = 1_000;
/** Templates that are added and removed one by one. */
const UPKEEP_COUNT = 128;

export const usearch: Maker = {
  names: ['usearch-exact', 'usearch-hnsw'],
  async make(gallery, { names, graphs }) {
    const { module, version } = peer<Usearch>('usearch');
    const about = `usearch ${version}, prebuilt, SIMD chosen at run time`;
    const made: Engine[] = [];
    if (names.has('usearch-exact')) made.push(exact(module, gallery, about));
    if (names.has('usearch-hnsw'))
      made.push(
        ...(await each(graphs['usearch-hnsw'], one => graph(module, gallery, one, graphs.build, about))),
      );
    return made;
  },
};

/** Squared Euclidean distance is its fastest metric; for vectors of norm 1 the order is the same as by cosine. */
function exact({ exactSearch }: Usearch, { vectors }: Gallery, about: string): Engine {
  const search = (probes: Float32Array) => exactSearch(vectors, probes, DIMENSIONS, COUNT, 'l2sq', 1);
  return {
    name: 'usearch-exact',
    settings: '',
    threads: 1,
    rule: 'exact',
    about,
    bytes: vectors.byteLength,
    load_s: 0,
    turn: inProcess(flat, search, found => nearestIn(found, 0.5)),
    close: () => {},
  };
}

async function graph(
  { Index }: Usearch,
  gallery: Gallery,
  shape: Graph,
  build: boolean,
  about: string,
): Promise<Engine[]> {
  const scalars = shape.scalars ?? 'f32';
  const empty = (expansion_search: number) =>
    new Index({
      dimensions: DIMENSIONS,
      metric: 'ip',
      quantization: scalars,
      connectivity: shape.m,
      expansion_add: shape.build,
      expansion_search,
      multi: false,
    });
  const { file, seconds } = await graphFile(gallery, 'usearch', shape, build, (path, shown) => {
    const index = empty(0);
    for (let from = 0; from < gallery.n; from += ADD_AT_ONCE) {
      const to = Math.min(gallery.n, from + ADD_AT_ONCE);
      const keys = BigUint64Array.from({ length: to - from }, (_, i) => BigInt(from + i));
      index.add(keys, gallery.vectors.slice(from * DIMENSIONS, to * DIMENSIONS), BUILD_THREADS);
      shown.at(to);
    }
    rmSync(path, { force: true });
    index.save(path);
  });
  const bytes = statSync(file).size;
  return shape.search.map((ef, i): Engine => {
    const index = empty(ef);
    index.load(file);
    const search = (probes: Float32Array) => index.search(probes, COUNT, 1);
    const engine: Engine = {
      name: 'usearch-hnsw',
      settings: settingsOf({ ...shape, scalars }, ef),
      threads: 1,
      rule: 'approximate',
      about,
      bytes,
      load_s: seconds,
      turn: inProcess(flat, search, found => nearestIn(found, 1)),
      close: () => {},
    };
    if (i > 0) return engine;
    const upkeep = async (extra: Float32Array) =>
      upkeepOf(
        Math.min(UPKEEP_COUNT, extra.length / DIMENSIONS),
        j => index.add(BigInt(gallery.n + j), extra.slice(j * DIMENSIONS, (j + 1) * DIMENSIONS), 1),
        j => index.remove(BigInt(gallery.n + j)),
      );
    return { ...engine, upkeep };
  });
}

/** All probes of a query in one call, which is faster than one call for each. */
const flat = ({ units }: Query) => Float32Array.from(units.flatMap(unit => Array.from(unit)));

/** Compares the nearest template of each probe. */
function nearestIn({ keys, distances }: Found, scale: number): Answer {
  let best = 0;
  for (let i = COUNT; i < keys.length; i += COUNT)
    if ((distances[i] as number) < (distances[best] as number)) best = i;
  return {
    template: Number(keys[best] ?? -1n),
    distance: (distances[best] ?? Number.POSITIVE_INFINITY) * scale,
  };
}
