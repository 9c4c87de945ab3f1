/** What the search bench runs, as data. */
import { DATA, type Data, KINDS, type Kind } from './data.ts';
import type { GraphSettings } from './graphs.ts';

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
  /** Untimed searches before every burst, which bring the gallery back into the caches. */
  readonly warmUp: number;
  /** Whether the caches are emptied before every search. */
  readonly cold: boolean;
}

export interface Plan {
  readonly name: string;
  readonly cases: readonly Case[];
  /** HNSW graphs by size of gallery. For other data than `easy`, only the sizes in `graphsOnAllData`. */
  readonly graphs: Readonly<Record<number, Graphs>>;
  readonly graphsOnAllData: ReadonlySet<number>;
  /** Sizes where adding and removing are timed. */
  readonly upkeep: ReadonlySet<number>;
}
type Graphs = Omit<GraphSettings, 'build'>;

export const NONE: Graphs = { 'usearch-hnsw': [], hnswlib: [], 'faiss-hnsw': [] };
/** Those of the next larger gallery in the plan; none above the largest. */
export const graphsFor = (plan: Plan, n: number): Graphs => {
  const size = Object.keys(plan.graphs).find(most => n <= Number(most));
  return size === undefined ? NONE : (plan.graphs[Number(size)] ?? NONE);
};
export const graphsOf = (plan: Plan, data: Data, n: number): Graphs =>
  data === 'easy' || plan.graphsOnAllData.has(n) ? (plan.graphs[n] ?? NONE) : NONE;

interface Effort {
  readonly queries: number;
  readonly turns: number;
  readonly burst: number;
  readonly warmUp: number;
}

function cases(data: Data, n: number, qs: readonly number[], effort: Effort, cold = false): Case[] {
  return qs.flatMap(q =>
    KINDS.filter(kind => !cold || kind === 'genuine').map(kind => ({ data, n, q, kind, cold, ...effort })),
  );
}

const [TEN, HUNDRED, MILLION] = [10_000, 100_000, 1_000_000] as const;
const EFFORT = {
  [TEN]: { queries: 50, turns: 20, burst: 5, warmUp: 10 },
  [HUNDRED]: { queries: 40, turns: 10, burst: 4, warmUp: 4 },
  [MILLION]: { queries: 20, turns: 8, burst: 3, warmUp: 1 },
} as const;
const QUICK_EFFORT = {
  [TEN]: { queries: 20, turns: 10, burst: 4, warmUp: 10 },
  [HUNDRED]: { queries: 12, turns: 6, burst: 3, warmUp: 4 },
} as const;
const COLD_EFFORT = { queries: 20, turns: 5, burst: 3, warmUp: 0 };

/** For galleries of other sizes, such as those of a file. */
export function effortFor(n: number, quick: boolean): Effort {
  if (quick) return n <= TEN ? QUICK_EFFORT[TEN] : QUICK_EFFORT[HUNDRED];
  return n <= TEN ? EFFORT[TEN] : n <= HUNDRED ? EFFORT[HUNDRED] : EFFORT[MILLION];
}

const HNSW: Graphs = {
  'usearch-hnsw': [
    { m: 16, build: 128, search: [32, 64, 128, 256, 512], scalars: 'bf16' },
    { m: 32, build: 200, search: [64, 256], scalars: 'f32' },
  ],
  hnswlib: [{ m: 16, build: 200, search: [32, 64, 128, 256, 512] }],
  'faiss-hnsw': [{ m: 32, build: 128, search: [32, 64, 256] }],
};

/** Without FAISS: Debian's build takes hours for a graph of a million templates. */
const HNSW_MILLION: Graphs = {
  'usearch-hnsw': [{ m: 16, build: 128, search: [64, 256, 512, 1024], scalars: 'bf16' }],
  hnswlib: [{ m: 16, build: 200, search: [64, 256, 512, 1024] }],
  'faiss-hnsw': [],
};

export const FULL: Plan = {
  name: 'full',
  cases: [
    ...([TEN, HUNDRED, MILLION] as const).flatMap(n => [
      ...cases('easy', n, [1, 3, 5], EFFORT[n]),
      ...cases('easy', n, [1], COLD_EFFORT, true),
      ...DATA.filter(data => data !== 'easy').flatMap(data =>
        n === MILLION && !(data === 'hard' || data === 'shifted') ? [] : cases(data, n, [1], EFFORT[n]),
      ),
    ]),
    ...cases('families', HUNDRED, [3], EFFORT[HUNDRED]),
  ],
  graphs: { [TEN]: HNSW, [HUNDRED]: HNSW, [MILLION]: HNSW_MILLION },
  graphsOnAllData: new Set([TEN]),
  upkeep: new Set([HUNDRED]),
};

export const QUICK: Plan = {
  name: 'quick',
  cases: ([TEN, HUNDRED] as const).flatMap(n => [
    ...cases('easy', n, [1, 3], QUICK_EFFORT[n]),
    ...cases('hard', n, [1], QUICK_EFFORT[n]),
  ]),
  graphs: {
    [TEN]: {
      'usearch-hnsw': [{ m: 16, build: 128, search: [64, 256], scalars: 'bf16' }],
      hnswlib: [{ m: 16, build: 200, search: [32, 128] }],
      'faiss-hnsw': [{ m: 32, build: 128, search: [32, 64] }],
    },
    [HUNDRED]: {
      'usearch-hnsw': [{ m: 16, build: 128, search: [64, 256], scalars: 'bf16' }],
      hnswlib: [{ m: 16, build: 200, search: [64] }],
      'faiss-hnsw': [],
    },
  },
  graphsOnAllData: new Set(),
  upkeep: new Set([TEN]),
};

/** Up to this size a run builds missing graphs by itself; above it, only with --build-graphs. */
export const BUILD_UNASKED_UP_TO = { full: HUNDRED, quick: TEN } as const;
