/**
 * The plots of the search bench: time by size, recall against time, cost of harder data. Checked by
 * test/bench/report.test.ts.
 */
import {
  type Axis,
  COLOUR_NAMES,
  type Colour,
  decadesOf,
  type Panel,
  plot,
  type Series,
} from '../src/plot.ts';
import { ENGINES } from './engines/all.ts';
import { DATA } from './search/data.ts';
import type { Measured } from './search/run.ts';
import { isFit } from './search/tables.ts';

/** Approximate engines have several settings, the others none. */
const isTuned = ({ settings }: Measured) => settings !== '';
/** The index of a setting, without the effort of the search. */
const shapeOf = ({ settings }: Measured) => settings.split(', ')[0] as string;
const DATA_COLOURS: readonly Colour[] = ['black', 'red', 'blue', 'purple', 'green', 'ochre'];
const NOTE = 'median of one interleaved run, warm caches, one thread, one probe';

const size = (n: number) => (n >= 1e6 ? `${n / 1e6}M` : `${n / 1e3}k`);
const known = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);
/** An engine has the same colour in every plot. */
const series = (name: string, engine: string, points: Series['points'], dashed = false): Series => ({
  name,
  colour: COLOUR_NAMES[ENGINES.indexOf(engine) % COLOUR_NAMES.length] as Colour,
  points,
  form: 'points on a line',
  dashed,
});
const picture = (title: string, note: string, panels: readonly Panel[]) =>
  plot({ title, note, panels, columns: 2, width: 400, height: 280, legend: true });
const milliseconds = (rows: readonly Measured[]): Axis => ({
  title: 'milliseconds',
  log: true,
  ticks: decadesOf(rows.map(row => row.median_ms)),
});

/** SVGs by file name, without those that this run has no figures for. */
export function plots(all: readonly Measured[]): Map<string, string> {
  const rows = all.filter(row => row.q === 1 && row.threads === 1 && row.caches === 'warm');
  const faces = rows.filter(row => row.data === 'faces');
  const drawn = new Map<string, string>();
  if (known(faces.map(row => row.n)).length > 1) drawn.set('time.svg', timeBySize(faces));
  if (faces.some(isTuned)) drawn.set('recall.svg', recallByTime(faces));
  if (new Set(rows.map(row => row.data)).size > 1) drawn.set('data.svg', dataByTime(rows));
  return drawn;
}

function timeBySize(rows: readonly Measured[]): string {
  const panels = (['genuine', 'stranger'] as const).map((kind): Panel => {
    const shown = rows.filter(row => row.probes === kind);
    return {
      title: kind === 'genuine' ? 'Genuine probes' : 'Strangers',
      x: { title: 'templates', log: true, ticks: known(shown.map(row => row.n)) },
      y: milliseconds(rows),
      series: ENGINES.flatMap(engine => {
        const enough = shown.filter(row => row.engine === engine && (!isTuned(row) || isFit(row)));
        const points = known(enough.map(row => row.n)).map(
          n => [n, Math.min(...enough.filter(row => row.n === n).map(row => row.median_ms))] as const,
        );
        const tuned = enough.some(isTuned);
        return points.length === 0
          ? []
          : [series(tuned ? `${engine}, tuned` : engine, engine, points, tuned)];
      }),
    };
  });
  const tuned = 'tuned: the fastest setting without a wrong decision in 2,000';
  return picture('Time of a search by size of the gallery', `faces; ${NOTE}; ${tuned}`, panels);
}

function recallByTime(rows: readonly Measured[]): string {
  const sizes = known(rows.map(row => row.n)).slice(-2);
  const panels = sizes.flatMap(n =>
    (['genuine', 'stranger'] as const).map((kind): Panel => {
      const shown = rows.filter(row => row.n === n && row.probes === kind && row.engine !== 'c-2bit');
      return {
        title: `${size(n)} templates, ${kind === 'genuine' ? 'genuine probes' : 'strangers'}`,
        x: milliseconds(shown),
        y: { title: 'recall', ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] },
        series: ENGINES.flatMap(engine => {
          const own = shown.filter(row => row.engine === engine);
          return [...new Set(own.map(shapeOf))].map((shape, i) =>
            series(
              `${engine} ${shape}`.trim(),
              engine,
              own
                .filter(row => shapeOf(row) === shape)
                .map(row => [row.median_ms, row.recall] as const)
                .sort(([a], [b]) => a - b),
              i > 0,
            ),
          );
        }),
      };
    }),
  );
  return picture('Recall against time', `faces; ${NOTE}; each point of a line is an effort`, panels);
}

function dataByTime(rows: readonly Measured[]): string {
  const panels = (['genuine', 'stranger'] as const).map((kind): Panel => {
    const shown = rows.filter(row => row.probes === kind && row.engine === 'wasm');
    return {
      title: kind === 'genuine' ? 'Genuine probes' : 'Strangers',
      x: { title: 'templates', log: true, ticks: known(shown.map(row => row.n)) },
      y: milliseconds(rows.filter(row => row.engine === 'wasm')),
      series: DATA.flatMap((data, i) => {
        const points = shown
          .filter(row => row.data === data)
          .map(row => [row.n, row.median_ms] as const)
          .sort(([a], [b]) => a - b);
        return points.length === 0
          ? []
          : [{ name: data, colour: DATA_COLOURS[i] ?? 'black', points, form: 'points on a line' as const }];
      }),
    };
  });
  return picture('Cost of harder data for the core', NOTE, panels);
}
