/**
 * Draws panels of lines, areas and points over numeric axes as one self-contained SVG, legible on light and dark
 * backgrounds: the plots of the calibration, of the benchmarks and of the soak. What they show is not its concern.
 * Held by test/bench/report.test.ts and test/cli/calibrate.long.test.ts.
 */
type Point = readonly [number, number];

export interface Axis {
  readonly title: string;
  readonly log?: boolean;
  /** Positions of grid lines and labels. The first and the last are the ends; points beyond are drawn on the edge. */
  readonly ticks: readonly number[];
  readonly label?: (tick: number) => string;
}

export interface Series {
  /** For the legend. */
  readonly name: string;
  readonly colour: Colour;
  readonly points: readonly Point[];
  /** Default: a line. */
  readonly form?: 'line' | 'points' | 'points on a line' | 'area';
  readonly dashed?: boolean;
  /** Written beside the first point. */
  readonly note?: string;
}

export interface Panel {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  /** Written where nothing can be drawn. */
  readonly empty?: string;
}

export interface Picture {
  readonly title: string;
  readonly note: string;
  readonly panels: readonly Panel[];
  readonly columns: number;
  readonly width: number;
  readonly height: number;
  /** Names each series once at the right of the panels; otherwise in each panel, without series that have a note. */
  readonly legend?: boolean;
}

/** On a light background, and on a dark one. */
const COLOURS = {
  red: ['#cf222e', '#ff7b72'],
  grey: ['#57606a', '#9198a1'],
  blue: ['#0969da', '#58a6ff'],
  teal: ['#0a7a8a', '#39c5d0'],
  purple: ['#8250df', '#bc8cff'],
  ochre: ['#9a6700', '#d29922'],
  green: ['#1a7f37', '#3fb950'],
  lime: ['#4d9a06', '#a5d65a'],
  pink: ['#bf3989', '#f778ba'],
  black: ['#24292f', '#e6edf3'],
} as const;
export type Colour = keyof typeof COLOURS;
export const COLOUR_NAMES = Object.keys(COLOURS) as readonly Colour[];

const [GAP, TOP, LEGEND, LINE] = [20, 58, 190, 18];
const INNER = { left: 56, right: 12, top: 26, bottom: 42 };
const colours = (dark: 0 | 1) =>
  COLOUR_NAMES.map(name => `.${name} { stroke: ${COLOURS[name][dark]}; fill: ${COLOURS[name][dark]} }`).join(
    ' ',
  );
const STYLE = `
  .background { fill: #ffffff } .soft { fill: #57606a } .axis { stroke: #8c959f } .grid { stroke: #e4e8ec } ${colours(0)}
  @media (prefers-color-scheme: dark) {
    .background { fill: #0d1117 } .soft { fill: #9198a1 } .axis { stroke: #6e7681 } .grid { stroke: #262c36 } ${colours(1)}
  }
  text { font: 11px system-ui, sans-serif; stroke: none !important } .head { font-size: 15px } .head, .name { font-weight: 600 }
  .line { fill: none; stroke-width: 1.6; stroke-linejoin: round } .dashed { stroke-dasharray: 4 3 } .area { fill-opacity: .4 }`;

export function plot({ title, note, panels, columns, width, height, legend }: Picture): string {
  const across = Math.min(columns, panels.length);
  const named = new Map(legend ? panels.flatMap(panel => panel.series).map(one => [one.name, one]) : []);
  const right = GAP + across * (width + GAP);
  const whole = right + (legend ? LEGEND : 0);
  const bottom = TOP + Math.max(Math.ceil(panels.length / across) * (height + GAP), named.size * LINE + GAP);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole} ${bottom}" width="${whole}" height="${bottom}" role="img">`,
    `<title>${escaped(title)}</title><style>${STYLE}</style><rect class="background" width="100%" height="100%"/>`,
    text('head black', GAP, 24, title),
    text('soft', GAP, 42, note),
    ...panels.map((panel, i) => {
      const x = GAP + (i % across) * (width + GAP);
      const y = TOP + Math.floor(i / across) * (height + GAP);
      return `<g transform="translate(${x} ${y})">${draw(panel, width, height, !legend)}</g>`;
    }),
    ...[...named.values()].map((one, i) => entry(one, right, TOP + 24 + i * LINE)),
    '</svg>\n',
  ].join('\n');
}

function draw({ title, x, y, series, empty }: Panel, width: number, height: number, named: boolean): string {
  const [left, top, right, bottom] = [INNER.left, INNER.top, width - INNER.right, height - INNER.bottom];
  if (empty !== undefined) return text('name black', 0, 12, title) + text('soft', left, top + LINE, empty);
  const [atX, atY] = [scale(x, left, right), scale(y, bottom, top)];
  const entries = named ? series.filter(({ name, note }) => name && note === undefined) : [];
  return [
    text('name black', 0, 12, title),
    ...entries.map((one, i) => entry(one, right - (entries.length - i) * 125, 8)),
    ...y.ticks.map((tick, i) => {
      const at = atY(tick);
      return rule(i, left, at, right, at) + text('black', left - 6, at + 4, labelOf(y, tick), 'end');
    }),
    ...x.ticks.map((tick, i) => {
      const at = atX(tick);
      return rule(i, at, top, at, bottom) + text('black', at, bottom + 16, labelOf(x, tick), 'middle');
    }),
    text('soft', (left + right) / 2, bottom + 33, x.title, 'middle'),
    `<g transform="translate(10 ${(top + bottom) / 2}) rotate(-90)">${text('soft', 0, 0, y.title, 'middle')}</g>`,
    ...series.map(({ colour, points, form = 'line', dashed, note }) => {
      const placed = points.map(([px, py]) => [atX(px), atY(py)] as const);
      const [first] = placed;
      const isLeft = first !== undefined && first[0] > (left + right) / 2;
      return [
        form === 'points' || placed.length < 2 ? '' : path(form === 'area', colour, dashed, placed),
        form.startsWith('points') ? placed.map(at => dot(colour, ...at)).join('') : '',
        first && note !== undefined
          ? text(
              colour,
              first[0] + (isLeft ? -8 : 8),
              Math.max(top + 12, first[1] - 8),
              note,
              isLeft ? 'end' : 'start',
            )
          : '',
      ].join('');
    }),
  ].join('');
}

const entry = ({ name, colour, dashed, form }: Series, x: number, y: number) =>
  path(false, colour, dashed, [
    [x, y],
    [x + 22, y],
  ]) +
  (form?.startsWith('points') ? dot(colour, x + 11, y) : '') +
  text('black', x + 30, y + 4, name);

/** One that does not move is written once. */
function path(
  isArea: boolean,
  colour: Colour,
  dashed: boolean | undefined,
  points: readonly Point[],
): string {
  const places = points.map(([x, y]) => `${x} ${y}`);
  const line = `M${places.filter((place, i) => place !== places[i - 1]).join('L')}`;
  return `<path class="${colour} ${isArea ? 'area' : 'line'}${dashed ? ' dashed' : ''}" d="${line}${isArea ? 'Z' : ''}"/>`;
}

const dot = (colour: Colour, x: number, y: number) => `<circle class="${colour}" cx="${x}" cy="${y}" r="3"/>`;
const rule = (i: number, x1: number, y1: number, x2: number, y2: number) =>
  `<line class="${i === 0 ? 'axis' : 'grid'}" x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}"/>`;
const text = (kind: string, x: number, y: number, what: string, anchor = 'start') =>
  `<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${escaped(what)}</text>`;
const escaped = (what: string) => what.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`);

function scale({ log, ticks }: Axis, from: number, to: number): (value: number) => number {
  const of = (value: number) => (log ? Math.log10(value) : value);
  const [low, high] = [of(ticks[0] ?? 0), of(ticks.at(-1) ?? 1)];
  return value => {
    const share = Math.min(1, Math.max(0, (of(value) - low) / (high - low || 1)));
    return Math.round((from + share * (to - from)) * 10) / 10;
  };
}

/** Powers of ten, from one exponent to another. */
export const decades = (low: number, high: number) =>
  Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));

/** Powers of ten that enclose all values. */
export function decadesOf(values: readonly number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values)));
  return decades(low, Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)))));
}

/** Round numbers from 0 to at least the highest value, 3 to 6 of them. */
export function roundTicks(highest: number): number[] {
  if (!(highest > 0)) return [0, 1];
  const size = 10 ** Math.floor(Math.log10(highest / 4));
  const step = ([1, 2, 2.5, 5].find(one => one * size >= highest / 4) ?? 10) * size;
  return Array.from({ length: Math.ceil(highest / step - 1e-9) + 1 }, (_, n) => n * step);
}

const labelOf = ({ label = numberText }: Axis, tick: number) => label(tick);
const numberText = (value: number) =>
  value >= 10_000
    ? value.toLocaleString('en', { notation: 'compact' })
    : Number(value.toPrecision(6)).toLocaleString('en', { maximumFractionDigits: 6 });
