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
  /** Untimed searches before every burst, which bring the gallery back into the caches. */
  readonly warmUp: number;
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
  [MILLION]: { queries: 20, turns: 8, burst: 3, warmUp: 4 },
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

/** One index of an engine that has a choice, and the efforts with which it is searched. */
export interface Tuning {
  readonly engine: 'faiss-pqfs' | 'faiss-hnsw' | 'scann';
  /** PQ: half bytes of a code. HNSW: neighbours of a node. ScaNN: dimensions of a half byte. */
  readonly shape: number;
  /** PQ and ScaNN: templates that are compared exactly. HNSW: candidates. */
  readonly efforts: readonly number[];
}

/** What takes long to build is left out: above 100,000 templates, and above 10,000 on most data. */
export function settingsFor(n: number, quick: boolean, data: Data = 'easy'): Tuning[] {
  const pq = (shape: number, ...efforts: number[]): Tuning => ({ engine: 'faiss-pqfs', shape, efforts });
  const hnsw = (...efforts: number[]): Tuning => ({ engine: 'faiss-hnsw', shape: 16, efforts });
  const scann = (shape: number, ...efforts: number[]): Tuning => ({ engine: 'scann', shape, efforts });
  if (quick) return [pq(64, 50), pq(32, 50), ...(n > TEN ? [] : [hnsw(64, 256)]), scann(2, 50)];
  const all = [pq(64, 50, 200), pq(32, 50, 200), pq(16, 50)];
  if (n > HUNDRED) return all;
  if (n <= TEN || data === 'easy') all.push(hnsw(32, 64, 256));
  if (n <= TEN || data === 'easy' || data === 'hard') all.push(scann(2, 50), scann(4, 50, 200));
  return all;
}

export const FULL: Plan = {
  name: 'full',
  cases: [
    ...([TEN, HUNDRED, MILLION] as const).flatMap(n => [
      ...cases('faces', n, [1, 3, 5], EFFORT[n]),
      ...cases('easy', n, [1, 3], EFFORT[n]),
      ...cases('easy', n, [1], COLD_EFFORT, true),
      ...DATA.filter(data => data !== 'faces' && data !== 'easy').flatMap(data =>
        n === MILLION && !(data === 'hard' || data === 'shifted') ? [] : cases(data, n, [1], EFFORT[n]),
      ),
    ]),
    ...cases('families', HUNDRED, [3], EFFORT[HUNDRED]),
  ],
  upkeep: new Set([HUNDRED]),
};

export const QUICK: Plan = {
  name: 'quick',
  cases: ([TEN, HUNDRED] as const).flatMap(n => [
    ...cases('easy', n, [1, 3], QUICK_EFFORT[n]),
    ...cases('hard', n, [1], QUICK_EFFORT[n]),
  ]),
  upkeep: new Set([TEN]),
};
