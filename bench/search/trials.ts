/** What the search bench runs, as data. */
import { DATA, type Data, KINDS, type Kind } from './data.ts';

export interface Case {
  readonly data: Data;
  readonly n: number;
  readonly q: number;
  readonly kind: Kind;
  /** What the tables call the probes, if not by their kind. */
  readonly probes?: string;
  /** Number of different queries. All of them go through the gate. */
  readonly queries: number;
  /** Turns of every engine, and timed searches in each turn. */
  readonly turns: number;
  readonly burst: number;
  /** Untimed searches before every burst, which bring the gallery back into the caches: so many, for so long. */
  readonly warmUp: number;
  readonly warmMs: number;
  /** Whether the caches are emptied before every search. */
  readonly cold: boolean;
}

export interface Plan {
  readonly name: string;
  readonly cases: readonly Case[];
  /** Sizes where adding and removing are timed. */
  readonly upkeep: ReadonlySet<number>;
}
interface Effort {
  readonly queries: number;
  readonly turns: number;
  readonly burst: number;
  readonly warmUp: number;
  readonly warmMs: number;
}

function cases(data: Data, n: number, qs: readonly number[], effort: Effort, cold = false): Case[] {
  return qs.flatMap(q =>
    KINDS.filter(kind => !cold || kind === 'genuine').map(kind => ({ data, n, q, kind, cold, ...effort })),
  );
}

const [TEN, HUNDRED, MILLION] = [10_000, 100_000, 1_000_000] as const;
const EFFORT = {
  [TEN]: { queries: 50, turns: 20, burst: 5, warmUp: 10, warmMs: 2 },
  [HUNDRED]: { queries: 40, turns: 10, burst: 4, warmUp: 4, warmMs: 20 },
  // After an engine that reads the vectors, the last cache needs up to 50 searches before it keeps codes again.
  [MILLION]: { queries: 20, turns: 5, burst: 5, warmUp: 4, warmMs: 400 },
} as const;
const QUICK_EFFORT = {
  [TEN]: { queries: 20, turns: 10, burst: 4, warmUp: 10, warmMs: 2 },
  [HUNDRED]: { queries: 12, turns: 6, burst: 3, warmUp: 4, warmMs: 20 },
} as const;
const COLD_EFFORT = { queries: 20, turns: 5, burst: 3, warmUp: 0, warmMs: 0 };

/** For galleries of other sizes, such as those of a file. */
export function effortFor(n: number, quick: boolean): Effort {
  if (quick) return n <= TEN ? QUICK_EFFORT[TEN] : QUICK_EFFORT[HUNDRED];
  return n <= TEN ? EFFORT[TEN] : n <= HUNDRED ? EFFORT[HUNDRED] : EFFORT[MILLION];
}

/** One index of an engine that has a choice, and the efforts with which it is searched. */
export interface Tuning {
  readonly engine: 'faiss-pqfs' | 'faiss-hnsw' | 'scann';
  /** PQ: the index as FAISS writes it. HNSW: neighbours of a node. ScaNN: dimensions of a half byte. */
  readonly shape: string;
  /** The same as the tables say it. */
  readonly words: string;
  /** PQ and ScaNN: templates that are compared exactly. HNSW: candidates. */
  readonly efforts: readonly number[];
}
/** FAISS learns no 64 directions from fewer than 64 templates, and poor ones from a few more. */
const FEWEST_FOR_A_MAP = 1_000;
type Index = (...efforts: number[]) => Tuning;

/** What takes long to build is left out: above 100,000 templates, and above 10,000 on most data. */
export function settingsFor(n: number, quick: boolean, data: Data = 'faces'): Tuning[] {
  const index =
    (engine: Tuning['engine'], shape: string, words: string): Index =>
    (...efforts) => ({ engine, shape, words, efforts });
  const [pq64, pq32, pq16] = [64, 32, 16].map(codes =>
    index('faiss-pqfs', `PQ${codes}x4fs`, `PQ ${codes}x4`),
  ) as [Index, Index, Index];
  // With a map to 64 dimensions that is learned from the gallery.
  const pca = index('faiss-pqfs', 'PCA64,PQ32x4fs', 'PCA 64 PQ 32x4');
  const opq = index('faiss-pqfs', 'OPQ32_64,PQ32x4fs', 'OPQ 64 PQ 32x4');
  const hnsw = index('faiss-hnsw', '16', 'M 16');
  const [scann2, scann4] = [index('scann', '2', 'AH 2'), index('scann', '4', 'AH 4')];
  const own = data === 'faces';
  const maps = own && n >= FEWEST_FOR_A_MAP;
  if (quick) {
    const all = [pq64(50), pq32(50), scann2(50)];
    if (maps) all.push(pca(50, 200));
    if (n <= TEN) all.push(hnsw(64, 256));
    return all;
  }
  const all = [pq64(50, 200), pq32(50, 200), pq16(50)];
  if (maps) all.push(pca(50, 200), opq(50, 200));
  if (n > HUNDRED) return all;
  if (n <= TEN || own) all.push(hnsw(32, 64, 256));
  if (n <= TEN || own || data === 'hard') all.push(scann2(50), scann4(50, 200));
  return all;
}

export const FULL: Plan = {
  name: 'full',
  cases: [
    ...([TEN, HUNDRED, MILLION] as const).flatMap(n => [
      ...cases('faces', n, [1, 3, 5], EFFORT[n]),
      ...cases('faces', n, [1], COLD_EFFORT, true),
      ...DATA.filter(data => data !== 'faces').flatMap(data =>
        n === MILLION && (data === 'families' || data === 'near-duplicates')
          ? []
          : cases(data, n, data === 'easy' && n < MILLION ? [1, 3] : [1], EFFORT[n]),
      ),
    ]),
    ...cases('families', HUNDRED, [3], EFFORT[HUNDRED]),
  ],
  upkeep: new Set([HUNDRED]),
};

export const QUICK: Plan = {
  name: 'quick',
  cases: ([TEN, HUNDRED] as const).flatMap(n => [
    ...cases('faces', n, [1, 3], QUICK_EFFORT[n]),
    ...cases('easy', n, [1], QUICK_EFFORT[n]),
    ...cases('hard', n, [1], QUICK_EFFORT[n]),
  ]),
  upkeep: new Set([TEN]),
};
