/** What the core shall reach, as data, and how a run stands to it. A target that a run cannot tell is left out. */
import type { Held, Measured } from './run.ts';

interface Figures {
  readonly measured: readonly Measured[];
  readonly held: readonly Held[];
}
type Place = Partial<Pick<Measured, 'data' | 'n' | 'q' | 'probes' | 'threads'>>;

export interface Standing {
  readonly target: string;
  readonly wanted: string;
  readonly found: string;
  readonly met: string;
}

interface Target {
  readonly target: string;
  readonly wanted: string;
  readonly value: (figures: Figures) => number | null;
  readonly holds: (value: number) => boolean;
}

const at = ({ measured }: Figures, engine: string, place: Place): Measured | undefined =>
  measured.find(
    row =>
      row.engine === engine &&
      row.caches === 'warm' &&
      Object.entries({ data: 'easy', q: 1, probes: 'genuine', threads: 1, ...place }).every(
        ([column, value]) => row[column as keyof Measured] === value,
      ),
  );

const KINDS = ['genuine', 'stranger'] as const;
const ratio = (a?: Measured, b?: Measured) => (a && b ? a.median_ms / b.median_ms : null);
/** The worse of genuine probes and strangers. */
const worst = (values: readonly (number | null)[], pick: (...values: number[]) => number) => {
  const known = values.filter(value => value !== null);
  return known.length === 0 ? null : pick(...known);
};

function faster(peer: string, n: number, times: number, q = 1): Target {
  return {
    target: `${n} templates, Q = ${q}: times faster than ${peer}`,
    wanted: `at least ${times}`,
    value: all =>
      worst(
        KINDS.map(probes => ratio(at(all, peer, { n, q, probes }), at(all, 'wasm', { n, q, probes }))),
        Math.min,
      ),
    holds: value => value >= times,
  };
}

/** Against every graph setting of at least this recall with genuine probes, in the same case. */
function beatsGraphs(n: number, recall: number): Target {
  return {
    target: `${n} templates: times faster than the fastest HNSW setting with recall of ${recall} or more, genuine`,
    wanted: 'more than 1',
    value: all => {
      const ours = at(all, 'wasm', { n });
      const graphs = all.measured.filter(
        row =>
          ['usearch-hnsw', 'hnswlib', 'faiss-hnsw'].includes(row.engine) &&
          row.data === 'easy' &&
          row.n === n &&
          row.q === 1 &&
          row.probes === 'genuine' &&
          row.caches === 'warm' &&
          row.recall >= recall,
      );
      return worst(
        graphs.map(row => ratio(row, ours)),
        Math.min,
      );
    },
    holds: value => value > 1,
  };
}

const MILLION = 1_000_000;
const TARGETS: readonly Target[] = [
  faster('faiss-flat', MILLION, 25),
  faster('usearch-exact', MILLION, 12),
  faster('c-f32', MILLION, 8),
  faster('faiss-flat', MILLION, 30, 3),
  {
    target: `${MILLION} templates: time beside the native scan of 2-bit codes`,
    wanted: 'at most 1.25',
    value: all =>
      worst(
        KINDS.map(probes =>
          ratio(at(all, 'wasm', { n: MILLION, probes }), at(all, 'c-2bit', { n: MILLION, probes })),
        ),
        Math.max,
      ),
    holds: value => value <= 1.25,
  },
  beatsGraphs(MILLION, 0.97),
  beatsGraphs(100_000, 0.9),
  beatsGraphs(10_000, 0.9),
  {
    target: `${MILLION} templates: times faster on two threads than on one`,
    wanted: 'at least 1.5',
    value: all => ratio(at(all, 'wasm', { n: MILLION }), at(all, 'wasm', { n: MILLION, threads: 2 })),
    holds: value => value >= 1.5,
  },
  {
    target: `${MILLION} templates: time on hard data beside easy data, each by the native 2-bit scan beside it`,
    wanted: 'at most 1.6',
    // The two galleries are not measured at the same moment; the native scan, whose time no data change, tells how
    // fast the machine was at each.
    value: all =>
      worst(
        KINDS.map(probes => {
          const [hard, easy] = (['hard', 'easy'] as const).map(data => {
            const place = { n: MILLION, data, probes };
            return ratio(at(all, 'wasm', place), at(all, 'c-2bit', place));
          });
          return hard && easy ? hard / easy : null;
        }),
        Math.max,
      ),
    holds: value => value <= 1.6,
  },
  {
    target: 'bytes for a template in all, largest gallery',
    wanted: 'at most 590',
    value: ({ held }) =>
      held.filter(row => row.engine === 'wasm').sort((a, b) => b.n - a.n)[0]?.bytes_per_template ?? null,
    holds: value => value <= 590,
  },
  {
    target: 'mismatches with the float64 reference',
    wanted: '0',
    value: ({ measured }) =>
      measured.filter(row => row.engine === 'wasm').reduce((sum, row) => sum + row.mismatches, 0),
    holds: value => value === 0,
  },
];

export function standings(figures: Figures): Standing[] {
  return TARGETS.flatMap(({ target, wanted, value, holds }) => {
    const found = value(figures);
    if (found === null) return [];
    return [
      { target, wanted, found: String(Number(found.toPrecision(3))), met: holds(found) ? 'yes' : 'no' },
    ];
  });
}
