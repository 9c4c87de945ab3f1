/** hnswlib-node: HNSW over inner products. It accepts only plain arrays and uses one thread. */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, Maker } from '../engines.ts';
import { DIMENSIONS } from '../search/data.ts';
import type { Query } from '../search/expected.ts';
import { each, type Graph, graphFile, settingsOf } from '../search/graphs.ts';
import { asItIs, inProcess, nearestOf, upkeepOf } from './in-process.ts';
import { peer } from './missing.ts';

interface Index {
  initIndex(most: number, m: number, build: number, seed: number, reuse: boolean): void;
  addPoint(point: number[], label: number): void;
  markDelete(label: number): void;
  searchKnn(point: readonly number[], count: number): { distances: number[]; neighbors: number[] };
  setEf(search: number): void;
  readIndexSync(file: string, reuse: boolean): void;
  writeIndexSync(file: string): void;
  resizeIndex(most: number): void;
}
interface Hnswlib {
  readonly HierarchicalNSW: new (space: string, dimensions: number) => Index;
}

const COUNT = 2;
const SEED = 100;
/** Templates that are added and removed one by one. */
const UPKEEP_COUNT = 128;

export const hnswlib: Maker = {
  names: ['hnswlib'],
  async make(gallery, { graphs }) {
    const { module, version } = peer<Hnswlib>('hnswlib-node');
    const about = `hnswlib-node ${version}, compiled with ${flags()}`;
    const row = (i: number, from: Float32Array) =>
      Array.from(from.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS));
    const one = async (shape: Graph): Promise<Engine[]> => {
      const { file, seconds } = await graphFile(gallery, 'hnswlib', shape, graphs.build, (path, shown) => {
        const built = new module.HierarchicalNSW('ip', DIMENSIONS);
        built.initIndex(gallery.n, shape.m, shape.build, SEED, false);
        for (let i = 0; i < gallery.n; i++) {
          built.addPoint(row(i, gallery.vectors), i);
          if (i % 100 === 0) shown.at(i);
        }
        rmSync(path, { force: true });
        built.writeIndexSync(path);
      });
      const index = new module.HierarchicalNSW('ip', DIMENSIONS);
      index.readIndexSync(file, false);
      const find = (probe: readonly number[]) => {
        const { distances, neighbors } = index.searchKnn(probe, COUNT);
        const nearest = (distances[1] ?? Number.POSITIVE_INFINITY) < (distances[0] as number) ? 1 : 0;
        return {
          template: neighbors[nearest] ?? -1,
          distance: distances[nearest] ?? Number.POSITIVE_INFINITY,
        };
      };
      return shape.search.map((ef, i): Engine => {
        const turn = inProcess(
          (query: Query) => query.units.map(unit => Array.from(unit)),
          probes => nearestOf(probes.map(find)),
          asItIs,
        );
        const engine: Engine = {
          name: 'hnswlib',
          settings: settingsOf(shape, ef),
          threads: 1,
          rule: 'approximate',
          about,
          bytes: statSync(file).size,
          load_s: seconds,
          turn: request => {
            index.setEf(ef);
            return turn(request);
          },
          close: () => {},
        };
        if (i > 0) return engine;
        // Removing only marks a template, which keeps costing memory and time.
        const upkeep = async (extra: Float32Array) => {
          const count = Math.min(UPKEEP_COUNT, extra.length / DIMENSIONS);
          index.resizeIndex(gallery.n + count);
          return upkeepOf(
            count,
            j => index.addPoint(row(j, extra), gallery.n + j),
            j => index.markDelete(gallery.n + j),
          );
        };
        return { ...engine, upkeep };
      });
    };
    return each(graphs.hnswlib, one);
  },
};

/** The compiler's flags, from the dependency file that the build leaves behind. */
function flags(): string {
  const built = '../node_modules/hnswlib-node/build/Release/.deps/Release/obj.target/addon/src/addon.o.d';
  try {
    const text = readFileSync(join(import.meta.dirname, built), 'utf8').split('\n')[0] ?? '';
    return [...new Set(text.split(' ').filter(word => /^-(?:O|m(?:arch|tune|avx))/.test(word)))].join(' ');
  } catch {
    return 'unknown flags';
  }
}
