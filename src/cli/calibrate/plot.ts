/**
 * Draws a calibration: the distances of the same person and of different persons, with the threshold, and the DET curve
 * (FMR against FNMR over all thresholds, both logarithmic). One self-contained SVG, legible on light and dark
 * backgrounds. Held by test/cli/calibrate.test.ts.
 */
import { edge, type Tally } from '../../calibration/comparisons.ts';
import type { Report } from '../../calibration/report.ts';
import type { Point } from '../../calibration/thresholds.ts';
import { count, share } from './figures.ts';

const [WIDTH, HEIGHT] = [960, 440];
const HISTOGRAM = { left: 56, right: 500, top: 92, bottom: 388 };
const DET = { left: 600, right: 936, top: 92, bottom: 388 };
/** Bins of the tally per bin of the picture, which is 0.01 wide. */
const TALLY_BINS = 100;
const STYLE = `
  .background { fill: #ffffff } text { fill: #24292f; font: 12px system-ui, sans-serif } .head { font-size: 16px; font-weight: 600 }
  .name { font-weight: 600 } .soft { fill: #57606a } .axis { stroke: #8c959f; fill: none } .grid { stroke: #d8dee4 }
  .genuine { fill: #0969da; fill-opacity: .45; stroke: #0969da } .impostor { fill: #bc4c00; fill-opacity: .4; stroke: #bc4c00 }
  .curve { fill: none; stroke: #24292f; stroke-width: 1.8; stroke-linejoin: round } .centred { stroke: #1a7f37; stroke-dasharray: 6 3 }
  .mark { stroke: #cf222e; stroke-dasharray: 4 3 } .dot { fill: #cf222e } .wanted { stroke: #8250df; stroke-dasharray: 2 3 }
  .marked { fill: #cf222e } .target-label { fill: #8250df } .key { stroke: none; fill-opacity: .8 } .moved { fill: #1a7f37 }
  @media (prefers-color-scheme: dark) {
    .background { fill: #0d1117 } text { fill: #e6edf3 } .soft { fill: #9198a1 } .axis { stroke: #6e7681 } .grid { stroke: #262c36 }
    .genuine { fill: #58a6ff; stroke: #58a6ff } .impostor { fill: #f0883e; stroke: #f0883e } .curve { stroke: #e6edf3 }
    .centred { stroke: #3fb950 } .moved { fill: #3fb950 } .mark { stroke: #ff7b72 } .dot, .marked { fill: #ff7b72 }
    .wanted { stroke: #d2a8ff } .target-label { fill: #d2a8ff }
  }`;

export function plotOf(report: Report): string {
  const { rule, seed } = report.options;
  const note = `${count(report.descriptors)} descriptors of ${count(report.persons)} persons; ${count(report.genuine.comparisons)} genuine and ${count(report.impostor.comparisons)} impostor comparisons; seed ${seed}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    `<title>Calibration: distances and DET curve</title><style>${STYLE}</style><rect class="background" width="100%" height="100%"/>`,
    text(20, 28, 'Calibration', 'head'),
    text(20, 48, note, 'soft'),
    ...histograms(report.genuine, report.impostor, rule.threshold),
    ...det(report),
    '</svg>\n',
  ].join('\n');
}

function histograms(genuine: Tally, impostor: Tally, threshold: number): string[] {
  const { left, right, top, bottom } = HISTOGRAM;
  const [same, others] = [coarse(genuine), coarse(impostor)];
  const last = Math.max(lastUsed(same), lastUsed(others), edgeBin(threshold));
  const end = Math.ceil((last + 5) / 20) * 20;
  const highest = Math.max(...same, ...others, 1e-9);
  const x = (bin: number) => round(left + (bin / end) * (right - left));
  const y = (value: number) => round(bottom - (value / highest) * (bottom - top));
  const area = (values: readonly number[]) =>
    `M${x(0)} ${bottom}${values
      .slice(0, end)
      .map((value, bin) => `L${x(bin)} ${y(value)}L${x(bin + 1)} ${y(value)}`)
      .join('')}L${x(end)} ${bottom}Z`;
  const at = x(threshold * 100);
  const atRight = at > (left + right) / 2;
  return [
    text(left, 76, 'Distances', 'name'),
    key(left + 80, 'genuine', 'same person'),
    key(left + 190, 'impostor', 'different persons'),
    genuine.comparisons > 0 ? `<path class="genuine" d="${area(same)}"/>` : '',
    impostor.comparisons > 0 ? `<path class="impostor" d="${area(others)}"/>` : '',
    line('axis', left, bottom, right, bottom),
    ...Array.from({ length: end / 20 + 1 }, (_, n) =>
      text(x(n * 20), bottom + 18, edgeText(n * 20), '', 'middle'),
    ),
    text((left + right) / 2, bottom + 38, 'cosine distance', 'soft', 'middle'),
    `<text class="soft" transform="translate(${left - 12} ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">share of comparisons</text>`,
    line('mark', at, top - 6, at, bottom),
    text(atRight ? at - 6 : at + 6, top + 6, `threshold ${threshold}`, 'marked', atRight ? 'end' : 'start'),
  ];
}

/** Shares of the comparisons in bins of 0.01. */
function coarse({ histogram, comparisons }: Tally): number[] {
  const bins = Array.from({ length: Math.ceil(histogram.length / TALLY_BINS) }, () => 0);
  if (comparisons === 0) return bins;
  for (let bin = 0; bin < histogram.length; bin++)
    (bins[Math.floor(bin / TALLY_BINS)] as number) += (histogram[bin] as number) / comparisons;
  return bins;
}

const lastUsed = (bins: readonly number[]) => bins.findLastIndex(value => value > 0);
const edgeBin = (threshold: number) => Math.ceil(threshold * 100);
const edgeText = (bin: number) => edge(bin * TALLY_BINS).toFixed(1);

function det({ curve, centring, genuine, impostor, options, wanted }: Report): string[] {
  const { left, right, top, bottom } = DET;
  const head = text(left, 76, 'DET curve', 'name');
  if (curve.length === 0)
    return [head, text(left, 120, 'Needs both genuine and impostor comparisons: see the notes.', 'soft')];
  const lowest = { fmr: floorOf(impostor.comparisons), fnmr: floorOf(genuine.comparisons) };
  const along = (value: number, least: number) => 1 - Math.max(Math.log10(value || 1e-99), least) / least;
  const x = (fmr: number) => round(left + along(fmr, lowest.fmr) * (right - left));
  const y = (fnmr: number) => round(bottom - along(fnmr, lowest.fnmr) * (bottom - top));
  const shown = centring && centring.verdict !== 'not needed' && centring.curve.length > 0 ? centring : null;
  const rates = [impostor.error, genuine.error].map(rate => rate?.rate ?? 0) as [number, number];
  const point = { x: x(rates[0]), y: y(rates[1]) };
  const leftOf = point.x > (left + right) / 2;
  const wish = wanted && wanted.wantedFmr >= 10 ** lowest.fmr ? x(wanted.wantedFmr) : null;
  return [
    head,
    ...decades(lowest.fmr).flatMap(power => [
      line('grid', x(10 ** power), top, x(10 ** power), bottom),
      text(x(10 ** power), bottom + 18, decade(power), '', 'middle'),
    ]),
    ...decades(lowest.fnmr).flatMap(power => [
      line('grid', left, y(10 ** power), right, y(10 ** power)),
      text(left - 6, y(10 ** power) + 4, decade(power), '', 'end'),
    ]),
    `<rect class="axis" x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/>`,
    text((left + right) / 2, bottom + 38, 'FMR: different persons accepted', 'soft', 'middle'),
    `<text class="soft" transform="translate(${left - 52} ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">FNMR: same person refused</text>`,
    wish === null ? '' : line('wanted', wish, top, wish, bottom),
    wish === null || !wanted
      ? ''
      : text(wish + 5, bottom - 8, `FMR ${share(wanted.wantedFmr)} wanted`, 'target-label'),
    shown ? `<path class="curve centred" d="${pathOf(shown.curve, x, y)}"/>` : '',
    shown ? text(right, 76, 'dashed: centred', 'moved', 'end') : '',
    `<path class="curve" d="${pathOf(curve, x, y)}"/>`,
    `<circle class="dot" cx="${point.x}" cy="${point.y}" r="4.5"/>`,
    text(
      leftOf ? point.x - 9 : point.x + 9,
      Math.min(bottom - 22, Math.max(top + 16, point.y + (leftOf ? 18 : -8))),
      `at ${options.rule.threshold}: FMR ${share(rates[0])}, FNMR ${share(rates[1])}`,
      'marked',
      leftOf ? 'end' : 'start',
    ),
  ];
}

/** The smallest rate that so many comparisons can show, as a power of ten: its exponent, from -7 to -1. */
function floorOf(comparisons: number): number {
  return Math.max(-7, Math.min(-1, -Math.ceil(Math.log10(comparisons))));
}

const decades = (lowest: number) => Array.from({ length: 1 - lowest }, (_, n) => n + lowest);
const decade = (power: number) => (power >= -2 ? `${10 ** (power + 2)} %` : `1e${power}`);

function pathOf(curve: readonly Point[], x: (fmr: number) => number, y: (fnmr: number) => number): string {
  const places = ['M'];
  let last = '';
  for (const { fmr, fnmr } of [{ fmr: 0, fnmr: 1 }, ...curve]) {
    const place = `${x(fmr)} ${y(fnmr)}`;
    if (place !== last) places.push(places.length === 1 ? place : `L${place}`);
    last = place;
  }
  return places.join('');
}

function line(kind: string, x1: number, y1: number, x2: number, y2: number): string {
  return `<line class="${kind}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
}

function text(x: number, y: number, what: string, kind = '', anchor = 'start'): string {
  return `<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${escaped(what)}</text>`;
}

function key(x: number, kind: string, what: string): string {
  return `<rect class="${kind} key" x="${x}" y="67" width="11" height="11"/>${text(x + 16, 76, what)}`;
}

const round = (value: number) => Math.round(value * 10) / 10;
const escaped = (what: string) => what.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`);
