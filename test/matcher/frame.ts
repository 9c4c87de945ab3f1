/**
 * How the core codes the templates of a gallery, for tests that look into it: axes, cells and counts are read from its
 * memory, and where they are and its constants from its source, so they cannot fall behind the core.
 */
import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { direction, random } from './data.ts';

export const DIMENSIONS = 128;

function sourceOf(file: string): string {
  return readFileSync(new URL(`../../assembly/${file}.ts`, import.meta.url), 'utf8');
}

/** Constants at the top of files of the core. Later ones may use those before them. */
export function constantsOf<Name extends string>(files: readonly string[], ...names: Name[]) {
  const known: Record<string, number> = {};
  for (const text of files.map(sourceOf))
    for (const [, name = '', value = ''] of text.matchAll(/^(?:export )?const (\w+)(?:: \w+)? = ([^;]+);/gm))
      known[name] = reckon(value, known);
  for (const name of names) assert.ok(Number.isFinite(known[name]), `${files} have a constant ${name}`);
  return known as Record<Name, number>;
}

/** Value of sums and products of numbers and names. */
function reckon(text: string, known: Record<string, number>): number {
  const terms = text.replaceAll(/<\w+>|\s/g, '').replaceAll(/[A-Z]\w*/g, name => String(known[name]));
  return Number(new Function(`return ${terms}`)());
}

/** Where the fields of a class of the core are. */
function offsetsOf<Name extends string>(file: string, name: string, ...fields: Name[]) {
  const [, body = ''] = sourceOf(file).match(new RegExp(`class ${name} \\{(.*?)^\\}`, 'ms')) ?? [];
  const known: Record<string, number> = {};
  let offset = 0;
  for (const [, field = '', type = ''] of body.matchAll(/^ {2}(\w+): (\w+);/gm)) {
    known[field] = offset;
    offset += type === 'f64' ? 8 : 4;
  }
  for (const field of fields) assert.ok(known[field] !== undefined, `${name} has a field ${field}`);
  return known as Record<Name, number>;
}

const LAYOUT = constantsOf(
  ['layout'],
  'PAGE',
  'RECORD',
  'CODINGS',
  'CODING_BYTES',
  'VECTOR_BYTES',
  'SMALL_SLOTS',
  'LARGE_PAGES',
);
const ROWS_OF = constantsOf(['layout', 'coding'], 'HALF', 'TOP', 'WEIGHT', 'PLACE');
const GALLERY = offsetsOf('layout', 'Gallery', 'current');
const CODING = offsetsOf('coding', 'Coding', 'rows', 'axes', 'kept');
const HEAD = offsetsOf('layout', 'Head', 'next', 'slots', 'coded', 'codedUntil');

interface Coding {
  readonly at: number;
  readonly rows: number;
  readonly axes: number;
  readonly kept: number;
}

/** How a gallery is coded, and its pages. */
export function codedAs(buffer: ArrayBufferLike, gallery: number) {
  const view = new DataView(buffer);
  const record = gallery * LAYOUT.PAGE + LAYOUT.RECORD;
  const current = view.getUint32(record + GALLERY.current, true);
  const codings = [0, 1].map((which): Coding => {
    const at = gallery * LAYOUT.PAGE + LAYOUT.CODINGS + which * LAYOUT.CODING_BYTES;
    return {
      at,
      rows: view.getUint32(at + CODING.rows, true),
      axes: view.getUint32(at + CODING.axes, true),
      kept: view.getUint32(at + CODING.kept, true),
    };
  });
  const blocks: { block: number; coded: number; until: number; slots: number }[] = [];
  for (let block = gallery; block !== 0; block = view.getUint32(block * LAYOUT.PAGE + HEAD.next, true)) {
    const field = (name: keyof typeof HEAD) => view.getUint32(block * LAYOUT.PAGE + HEAD[name], true);
    blocks.push({ block, coded: field('coded'), until: field('codedUntil'), slots: field('slots') });
  }
  const [coding, other] = [codings[current], codings[1 - current]] as [Coding, Coding];
  return {
    coding,
    other,
    pages: blocks.flatMap(({ block, slots }) => {
      const count = slots === LAYOUT.SMALL_SLOTS ? 1 : LAYOUT.LARGE_PAGES;
      return Array.from({ length: count }, (_, i) => block + i);
    }),
    axes: codings.map(({ axes }) => axes).filter(page => page !== 0),
    /** Where some block has slots of both codings: whether the later ones have it from before. */
    mixed: blocks.some(({ until, slots }) => until > 0 && until < slots)
      ? coding.rows <= other.rows
        ? 'forward'
        : 'backward'
      : null,
  };
}

/** How one coordinate is coded. */
export interface Cell {
  readonly half: number;
  readonly top: number;
  readonly weight: number;
  readonly place: number;
}

export interface Frame {
  readonly hasAxes: boolean;
  readonly halves: number;
  readonly cells: readonly Cell[];
  /** Rows of a rotation: the axes, and directions beside all of them, which have no code, in the place of others. */
  readonly rows: readonly Float64Array[];
}

/** The coding that new templates of a gallery get. */
export function frameOf(buffer: ArrayBufferLike, gallery: number): Frame {
  const { coding } = codedAs(buffer, gallery);
  const hasAxes = coding.axes !== 0;
  const view = new DataView(buffer);
  const rows = Array.from({ length: DIMENSIONS }, (_, i) => {
    if (!hasAxes) return new Float64Array(DIMENSIONS).fill(1, i, i + 1);
    const at = coding.axes * LAYOUT.PAGE + i * LAYOUT.VECTOR_BYTES;
    return Float64Array.from(new Float32Array(buffer, at, DIMENSIONS));
  });
  const isAxis = rows.map((row, i) => i < coding.kept && normOf(row) > 0.5);
  complete(rows, isAxis);
  const number = (row: number, i: number) => view.getFloat32(coding.at + row + i * 4, true);
  const cells = isAxis.map((is, i) => ({
    half: is ? number(ROWS_OF.HALF, i) : 0,
    top: is ? number(ROWS_OF.TOP, i) : 0,
    weight: number(ROWS_OF.WEIGHT, is ? i : 0),
    place: view.getUint8(coding.at + ROWS_OF.PLACE + i),
  }));
  return { hasAxes, halves: 2 * coding.rows, cells, rows };
}

/** Puts directions at right angles to all others in the place of rows that are no axes. */
function complete(rows: Float64Array[], isAxis: readonly boolean[]): void {
  const next = random(1);
  const there = rows.filter((_, i) => isAxis[i]);
  for (let i = 0; i < rows.length; i++) {
    if (isAxis[i]) continue;
    const row = Float64Array.from(direction(next));
    for (let twice = 0; twice < 2; twice++) {
      for (const other of there) addTo(row, -dot(row, other), other);
      normalise(row);
    }
    rows[i] = row;
    there.push(row);
  }
}

function addTo(sum: Float64Array, by: number, row: Float64Array): void {
  for (let k = 0; k < DIMENSIONS; k++) sum[k] = (sum[k] as number) + by * (row[k] as number);
}

/** The stored vector whose turned one points like this. */
export function turnedBack({ rows }: Frame, turned: Float64Array): Float32Array {
  const vector = new Float64Array(DIMENSIONS);
  // Once is off by what the axes lack at right angles.
  for (let twice = 0; twice < 2; twice++) {
    const rest = rows.map((row, i) => (turned[i] as number) - dot(row, vector));
    for (const [i, row] of rows.entries()) addTo(vector, rest[i] as number, row);
  }
  normalise(vector);
  return Float32Array.from(vector);
}

export function normOf(v: ArrayLike<number>): number {
  return Math.sqrt(dot(v, v));
}

export function normalise(v: Float64Array): void {
  const norm = normOf(v);
  for (let i = 0; i < v.length; i++) v[i] = (v[i] as number) / norm;
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
