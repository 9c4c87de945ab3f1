/** Small panels, one a series, over a common time: an SVG by itself, legible on light and dark ground. */

export interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly values: readonly number[];
  /** A line that the values have to stay below. */
  readonly limit?: number;
}

const COLUMNS = 3;
const [WIDTH, HEIGHT, GAP, TOP] = [330, 170, 18, 56];
const INNER = { left: 52, right: 10, top: 28, bottom: 26 };
const STYLE = `
  .ground { fill: #ffffff } text { fill: #24292f; font: 11px system-ui, sans-serif } .head { font-size: 15px; font-weight: 600 }
  .name { font-weight: 600 } .soft { fill: #57606a } .axis { stroke: #8c959f; stroke-width: 1 } .grid { stroke: #d8dee4; stroke-width: 1 }
  .line { fill: none; stroke: #0969da; stroke-width: 1.4; stroke-linejoin: round } .limit { stroke: #cf222e; stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } text { fill: #e6edf3 } .soft { fill: #9198a1 } .axis { stroke: #6e7681 } .grid { stroke: #262c36 }
    .line { stroke: #58a6ff } .limit { stroke: #ff7b72 }
  }`;

/** @param seconds when each value was taken */
export function plot(
  title: string,
  note: string,
  seconds: readonly number[],
  panels: readonly Panel[],
): string {
  const rows = Math.ceil(panels.length / COLUMNS);
  const width = GAP + COLUMNS * (WIDTH + GAP);
  const height = TOP + rows * (HEIGHT + GAP);
  const drawn = panels.map((panel, n) => {
    const x = GAP + (n % COLUMNS) * (WIDTH + GAP);
    const y = TOP + Math.floor(n / COLUMNS) * (HEIGHT + GAP);
    return `<g transform="translate(${x} ${y})">${draw(panel, seconds)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title><style>${STYLE}</style><rect class="ground" width="100%" height="100%"/>`,
    `<text class="head" x="${GAP}" y="24">${escaped(title)}</text>`,
    `<text class="soft" x="${GAP}" y="42">${escaped(note)}</text>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

function draw({ title, unit, values, limit }: Panel, seconds: readonly number[]): string {
  const [right, bottom] = [WIDTH - INNER.right, HEIGHT - INNER.bottom];
  const end = Math.max(seconds.at(-1) ?? 1, 1);
  const steps = ticks(Math.max(...values, 0));
  const top = steps.at(-1) ?? 1;
  const x = (at: number) => round(INNER.left + (at / end) * (right - INNER.left));
  const y = (value: number) => round(bottom - (value / top) * (bottom - INNER.top));
  const line = values.map((value, n) => `${n === 0 ? 'M' : 'L'}${x(seconds[n] ?? 0)} ${y(value)}`).join('');
  const across = (at: number, kind: string) =>
    `<line class="${kind}" x1="${INNER.left}" x2="${right}" y1="${y(at)}" y2="${y(at)}"/>`;
  const minutes = ticks(end / 60).filter(at => at * 60 <= end * 1.001);
  return [
    `<text class="name" x="0" y="14">${escaped(title)} <tspan class="soft" font-weight="400">${escaped(unit)}</tspan></text>`,
    ...steps.map(at => across(at, at === 0 ? 'axis' : 'grid')),
    ...steps.map(at => `<text x="${INNER.left - 6}" y="${y(at) + 4}" text-anchor="end">${told(at)}</text>`),
    ...minutes.map(
      at => `<text x="${x(at * 60)}" y="${bottom + 15}" text-anchor="middle">${told(at)}</text>`,
    ),
    `<text class="soft" x="${INNER.left - 6}" y="${bottom + 15}" text-anchor="end">min</text>`,
    limit === undefined || limit > top ? '' : across(limit, 'limit'),
    `<path class="line" d="${line}"/>`,
  ].join('');
}

/** Round numbers from 0 to at least the highest value, 3 to 6 of them. */
function ticks(highest: number): number[] {
  if (!(highest > 0)) return [0, 1];
  const rough = highest / 4;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find(one => one * size >= rough) ?? 10) * size;
  return Array.from({ length: Math.ceil(highest / step - 1e-9) + 1 }, (_, n) => n * step);
}

const round = (value: number) => Math.round(value * 10) / 10;
const told = (value: number) => Number(value.toPrecision(6)).toLocaleString('en');
const escaped = (text: string) => text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`);
