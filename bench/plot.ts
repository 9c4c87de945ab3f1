/** Charts of points and lines over numeric axes, as an SVG by itself that is legible on light and dark ground. */

export interface Axis {
  readonly title: string;
  readonly log: boolean;
  /** Where lines and numbers stand; the first and the last are the ends. */
  readonly ticks: readonly number[];
}

export interface Series {
  readonly name: string;
  /** The same colour wherever the same engine is drawn. */
  readonly colour: number;
  readonly points: readonly (readonly [number, number])[];
  readonly dashed?: boolean;
}

export interface Panel {
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
  .ground { fill: #ffffff } text { fill: #24292f; font: 11px system-ui, sans-serif } .head { font-size: 15px; font-weight: 600 }
  .name { font-weight: 600 } .soft { fill: #57606a } .axis { stroke: #8c959f } .grid { stroke: #e4e8ec } ${rules(0)}
  .line { fill: none; stroke-width: 1.6; stroke-linejoin: round } .dashed { stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } text { fill: #e6edf3 } .soft { fill: #9198a1 } .axis { stroke: #6e7681 } .grid { stroke: #262c36 } ${rules(1)}
    .line { fill: none }
  }`;

export function plot(title: string, note: string, panels: readonly Panel[], columns = 2): string {
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
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title><style>${STYLE}</style><rect class="ground" width="100%" height="100%"/>`,
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
        `<text x="${INNER.left - 6}" y="${at + 4}" text-anchor="end">${told(tick)}</text>`
      );
    }),
    ...x.ticks.map((tick, i) => {
      const at = atX(tick);
      return (
        `<line class="${i === 0 ? 'axis' : 'grid'}" x1="${at}" x2="${at}" y1="${INNER.top}" y2="${bottom}"/>` +
        `<text x="${at}" y="${bottom + 16}" text-anchor="middle">${told(tick)}</text>`
      );
    }),
    `<text class="soft" x="${(INNER.left + right) / 2}" y="${bottom + 33}" text-anchor="middle">${escaped(x.title)}</text>`,
    `<text class="soft" transform="translate(12 ${(INNER.top + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(y.title)}</text>`,
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

function scale({ log, ticks }: Axis, from: number, to: number): (value: number) => number {
  const of = (value: number) => (log ? Math.log10(value) : value);
  const [low, high] = [of(ticks[0] ?? 0), of(ticks.at(-1) ?? 1)];
  return value => {
    const share = Math.min(1, Math.max(0, (of(value) - low) / (high - low || 1)));
    return Math.round((from + share * (to - from)) * 10) / 10;
  };
}

/** Powers of ten that hold all values. */
export function decades(values: readonly number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
}

const told = (value: number) =>
  value >= 10_000
    ? value.toLocaleString('en', { notation: 'compact' })
    : Number(value.toPrecision(6)).toLocaleString('en', { maximumFractionDigits: 6 });
const escaped = (text: string) => text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`);
