/** The plots of the search trial: time by size, recall against time, and what harder data cost. */
import { type Axis, decades, type Panel, plot, type Series } from '../plot.ts';
import type { Measured } from './run.ts';

/** Colours by place. */
const ENGINES = [
  'wasm',
  'js',
  'usearch-exact',
  'usearch-hnsw',
  'hnswlib',
  'sqlite-vec',
  'faiss-flat',
  'faiss-hnsw',
  'c-f32',
  'c-2bit',
];
const isGraph = (engine: string) => engine.includes('hnsw');
const ENOUGH = 0.9;
const NOTE = 'median of one interleaved run, warm caches, one thread, one probe';

const size = (n: number) => (n >= 1e6 ? `${n / 1e6}M` : `${n / 1e3}k`);
const known = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);
const series = (name: string, engine: string, points: Series['points'], dashed = false): Series => ({
  name,
  colour: ENGINES.indexOf(engine),
  points,
  dashed,
});
const milliseconds = (rows: readonly Measured[]): Axis => ({
  title: 'milliseconds',
  log: true,
  ticks: decades(rows.map(row => row.median_ms)),
});

/** File names and their content; what a run has no figures for is left out. */
export function plots(all: readonly Measured[]): Map<string, string> {
  const rows = all.filter(row => row.q === 1 && row.threads === 1 && row.caches === 'warm');
  const easy = rows.filter(row => row.data === 'easy');
  const drawn = new Map<string, string>();
  if (known(easy.map(row => row.n)).length > 1) drawn.set('time.svg', timeBySize(easy));
  if (easy.some(row => isGraph(row.engine))) drawn.set('recall.svg', recallByTime(easy));
  if (new Set(rows.map(row => row.data)).size > 1) drawn.set('data.svg', dataByTime(rows));
  return drawn;
}

function timeBySize(rows: readonly Measured[]): string {
  const panels = (['genuine', 'stranger'] as const).map((kind): Panel => {
    const asked = rows.filter(row => row.probes === kind);
    return {
      title: kind === 'genuine' ? 'Genuine probes' : 'Strangers',
      x: { title: 'templates', log: true, ticks: known(asked.map(row => row.n)) },
      y: milliseconds(rows),
      series: ENGINES.flatMap(engine => {
        // Of a graph's settings the fastest that finds nine in ten.
        const enough = asked.filter(
          row => row.engine === engine && (!isGraph(engine) || row.recall >= ENOUGH),
        );
        const points = known(enough.map(row => row.n)).map(
          n => [n, Math.min(...enough.filter(row => row.n === n).map(row => row.median_ms))] as const,
        );
        const name = isGraph(engine) ? `${engine}, recall ≥ ${ENOUGH}` : engine;
        return points.length === 0 ? [] : [series(name, engine, points, isGraph(engine))];
      }),
    };
  });
  return plot('Time of a search by size of the gallery', `easy data; ${NOTE}`, panels);
}

function recallByTime(rows: readonly Measured[]): string {
  const sizes = known(rows.map(row => row.n)).slice(-2);
  const panels = sizes.flatMap(n =>
    (['genuine', 'stranger'] as const).map((kind): Panel => {
      const asked = rows.filter(row => row.n === n && row.probes === kind && row.engine !== 'c-2bit');
      return {
        title: `${size(n)} templates, ${kind === 'genuine' ? 'genuine probes' : 'strangers'}`,
        x: milliseconds(asked),
        y: { title: 'recall', log: false, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] },
        series: ENGINES.flatMap(engine => {
          const own = asked.filter(row => row.engine === engine);
          const graphs = [...new Set(own.map(row => row.settings.replace(/ ef .*/, '')))];
          return graphs.map((graph, i) =>
            series(
              `${engine}${graph && ` ${graph}`}`,
              engine,
              own
                .filter(row => row.settings.replace(/ ef .*/, '') === graph)
                .map(row => [row.median_ms, row.recall] as const)
                .sort(([a], [b]) => a - b),
              i > 0,
            ),
          );
        }),
      };
    }),
  );
  return plot('Recall against time', `easy data; ${NOTE}; each point of a line is a setting of ef`, panels);
}

function dataByTime(rows: readonly Measured[]): string {
  const kinds = ['easy', 'hard', 'shifted', 'families', 'near-duplicates'];
  const panels = (['genuine', 'stranger'] as const).map((kind): Panel => {
    const asked = rows.filter(row => row.probes === kind && row.engine === 'wasm');
    return {
      title: kind === 'genuine' ? 'Genuine probes' : 'Strangers',
      x: { title: 'templates', log: true, ticks: known(asked.map(row => row.n)) },
      y: milliseconds(rows.filter(row => row.engine === 'wasm')),
      series: kinds.flatMap((data, i) => {
        const points = asked
          .filter(row => row.data === data)
          .map(row => [row.n, row.median_ms] as const)
          .sort(([a], [b]) => a - b);
        return points.length === 0 ? [] : [{ name: data, colour: [0, 2, 4, 6, 5][i] ?? 0, points }];
      }),
    };
  });
  return plot('What harder data cost the core', NOTE, panels);
}
