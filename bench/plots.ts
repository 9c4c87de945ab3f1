/**
 * The plots of the search trial: time by size, recall against time, cost of harder data. Each is a self-contained SVG
 * of points and lines over numeric axes, legible on light and dark backgrounds. Checked by
 * test/bench/report.test.ts.
 */
import { ENGINES } from './engines/all.ts';
import { DATA } from './search/data.ts';
import type { Measured } from './search/run.ts';

const isGraph = (engine: string) => engine.includes('hnsw');
const ENOUGH = 0.9;
const NOTE = 'median of one interleaved run, warm caches, one thread, one probe';

const size = (n: number) => (n >= 1e6 ? `${n / 1e6}M` : `${n / 1e3}k`);
const known = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);
const series = (name: string, engine: string, points: Series['points'], dashed = false): Series => ({
  name,
  colour: ENGINES.indexOf(engine) % COLOURS.length,
  points,
  dashed,
});
const milliseconds = (rows: readonly Measured[]): Axis => ({
  title: 'milliseconds',
  log: true,
  ticks: decades(rows.map(row => row.median_ms)),
});

/** SVGs by file name, without those that this run has no figures for. */
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
    const shown = rows.filter(row => row.probes === kind);
    return {
      title: kind === 'genuine' ? 'Genuine probes' : 'Strangers',
      x: { title: 'templates', log: true, ticks: known(shown.map(row => row.n)) },
      y: milliseconds(rows),
      series: ENGINES.flatMap(engine => {
        // Of a graph's settings, the fastest with a recall of 0.9.
        const enough = shown.filter(
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
      const shown = rows.filter(row => row.n === n && row.probes === kind && row.engine !== 'c-2bit');
      return {
        title: `${size(n)} templates, ${kind === 'genuine' ? 'genuine probes' : 'strangers'}`,
        x: milliseconds(shown),
        y: { title: 'recall', log: false, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] },
        series: ENGINES.flatMap(engine => {
          const own = shown.filter(row => row.engine === engine);
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
          : [{ name: data, colour: [0, 2, 4, 6, 5][i] ?? i % COLOURS.length, points }];
      }),
    };
  });
  return plot('Cost of harder data for the core', NOTE, panels);
}

interface Axis {
  readonly title: string;
  readonly log: boolean;
  /** Positions of grid lines and labels; the first and the last are the ends. */
  readonly ticks: readonly number[];
}

interface Series {
  readonly name: string;
  /** An engine has the same colour in every plot. */
  readonly colour: number;
  readonly points: readonly (readonly [number, number])[];
  readonly dashed?: boolean;
}

interface Panel {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

const [WIDTH, HEIGHT, GAP, TOP, LEGEND] = [400, 280, 20, 58, 190];
const INNER = { left: 54, right: 12, top: 26, bottom: 42 };
const COLOURS = [
  ['#cf222e', '#ff7b72'],
  ['#57606a', '#9198a1'],
  ['#0969da', '#58a6ff'],
  ['#0a7a8a', '#39c5d0'],
  ['#8250df', '#bc8cff'],
  ['#9a6700', '#d29922'],
  ['#1a7f37', '#3fb950'],
  ['#4d9a06', '#a5d65a'],
  ['#bf3989', '#f778ba'],
  ['#24292f', '#e6edf3'],
] as const;
const rules = (dark: 0 | 1) =>
  COLOURS.map((pair, i) => `.c${i} { stroke: ${pair[dark]}; fill: ${pair[dark]} }`).join(' ');
const STYLE = `
  .background { fill: #ffffff } text { fill: #24292f; font: 11px system-ui, sans-serif }
  .head { font-size: 15px; font-weight: 600 } .name { font-weight: 600 }
  .soft { fill: #57606a } .axis { stroke: #8c959f } .grid { stroke: #e4e8ec } ${rules(0)}
  .line { fill: none; stroke-width: 1.6; stroke-linejoin: round } .dashed { stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    .background { fill: #0d1117 } text { fill: #e6edf3 } .soft { fill: #9198a1 }
    .axis { stroke: #6e7681 } .grid { stroke: #262c36 } ${rules(1)}
    .line { fill: none }
  }`;

function plot(title: string, note: string, panels: readonly Panel[], columns = 2): string {
  const across = Math.min(columns, panels.length);
  const width = GAP + across * (WIDTH + GAP) + LEGEND;
  const named = new Map(panels.flatMap(panel => panel.series).map(one => [one.name, one]));
  const rows = Math.ceil(panels.length / across);
  const height = TOP + Math.max(rows * (HEIGHT + GAP), named.size * 18 + GAP);
  const drawn = panels.map((panel, i) => {
    const x = GAP + (i % across) * (WIDTH + GAP);
    const y = TOP + Math.floor(i / across) * (HEIGHT + GAP);
    return `<g transform="translate(${x} ${y})">${draw(panel)}</g>`;
  });
  const legend = [...named.values()].map((one, i) => {
    const y = TOP + 24 + i * 18;
    const x = width - LEGEND;
    return [
      `<line class="line c${one.colour}${one.dashed ? ' dashed' : ''}" x1="${x}" x2="${x + 22}" y1="${y}" y2="${y}"/>`,
      `<circle class="c${one.colour}" cx="${x + 11}" cy="${y}" r="3"/>`,
      `<text x="${x + 30}" y="${y + 4}">${escaped(one.name)}</text>`,
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
      `width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title><style>${STYLE}</style>` +
      '<rect class="background" width="100%" height="100%"/>',
    `<text class="head" x="${GAP}" y="24">${escaped(title)}</text>`,
    `<text class="soft" x="${GAP}" y="42">${escaped(note)}</text>`,
    ...drawn,
    ...legend,
    '</svg>\n',
  ].join('\n');
}

function draw({ title, x, y, series }: Panel): string {
  const [right, bottom] = [WIDTH - INNER.right, HEIGHT - INNER.bottom];
  const atX = scale(x, INNER.left, right);
  const atY = scale(y, bottom, INNER.top);
  return [
    `<text class="name" x="0" y="12">${escaped(title)}</text>`,
    ...y.ticks.map((tick, i) => {
      const at = atY(tick);
      return (
        `<line class="${i === 0 ? 'axis' : 'grid'}" x1="${INNER.left}" x2="${right}" y1="${at}" y2="${at}"/>` +
        `<text x="${INNER.left - 6}" y="${at + 4}" text-anchor="end">${numberText(tick)}</text>`
      );
    }),
    ...x.ticks.map((tick, i) => {
      const at = atX(tick);
      return (
        `<line class="${i === 0 ? 'axis' : 'grid'}" x1="${at}" x2="${at}" y1="${INNER.top}" y2="${bottom}"/>` +
        `<text x="${at}" y="${bottom + 16}" text-anchor="middle">${numberText(tick)}</text>`
      );
    }),
    axisTitle(x.title, `x="${(INNER.left + right) / 2}" y="${bottom + 33}"`),
    axisTitle(y.title, `transform="translate(12 ${(INNER.top + bottom) / 2}) rotate(-90)"`),
    ...series.map(({ points, colour, dashed }) => {
      const placed = points.map(([px, py]) => [atX(px), atY(py)] as const);
      const line = placed.map(([px, py], i) => `${i === 0 ? 'M' : 'L'}${px} ${py}`).join('');
      return [
        placed.length > 1 ? `<path class="line c${colour}${dashed ? ' dashed' : ''}" d="${line}"/>` : '',
        ...placed.map(([px, py]) => `<circle class="c${colour}" cx="${px}" cy="${py}" r="3"/>`),
      ].join('');
    }),
  ].join('');
}

const axisTitle = (title: string, place: string) =>
  `<text class="soft" ${place} text-anchor="middle">${escaped(title)}</text>`;

function scale({ log, ticks }: Axis, from: number, to: number): (value: number) => number {
  const of = (value: number) => (log ? Math.log10(value) : value);
  const [low, high] = [of(ticks[0] ?? 0), of(ticks.at(-1) ?? 1)];
  return value => {
    const share = Math.min(1, Math.max(0, (of(value) - low) / (high - low || 1)));
    return Math.round((from + share * (to - from)) * 10) / 10;
  };
}

/** Powers of ten that enclose all values. */
function decades(values: readonly number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
}

const numberText = (value: number) =>
  value >= 10_000
    ? value.toLocaleString('en', { notation: 'compact' })
    : Number(value.toPrecision(6)).toLocaleString('en', { maximumFractionDigits: 6 });
const escaped = (text: string) => text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`);
