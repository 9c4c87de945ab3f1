/**
 * By how much the core's bounds exceed an exact product, for bound.long.test.ts: computed once more as the core does, with
 * all that it rounds, from a coding in its memory and constants in its source (frame.ts). Should the core's way change,
 * this falls behind it; the test sees that, because its cases are no longer tight.
 */
import { type Cell, constantsOf, DIMENSIONS, dot, type Frame } from './frame.ts';

/** The coarse and the fine bound; the same with exact distances; and the coarse one with exact tables too. */
export const KINDS = ['coarse', 'fine', 'coarse distance', 'fine distance', 'tables'] as const;
export type Kind = (typeof KINDS)[number];

const { AXIS_UNIT, COARSE_UNITS, MOST_SHARE, MOST_SQUARE, RELATIVE, ABSOLUTE } = constantsOf(
  ['encode'],
  'AXIS_UNIT',
  'COARSE_UNITS',
  'MOST_SHARE',
  'MOST_SQUARE',
  'RELATIVE',
  'ABSOLUTE',
);
const { SHARE_QUANTA, FRACTION_BITS, MOST_FACTORS, ROUNDING, LOST_UNITS, MOST_FACTOR, FACTOR_ROUNDING } =
  constantsOf(
    ['probe'],
    'SHARE_QUANTA',
    'FRACTION_BITS',
    'MOST_FACTORS',
    'ROUNDING',
    'LOST_UNITS',
    'MOST_FACTOR',
    'FACTOR_ROUNDING',
  );
export const QUANTA_OF_SHARE = SHARE_QUANTA;
const QUANTUM = 2 ** FRACTION_BITS;
/** Sums of 8 bits that a score is made of. */
export const SHARES = 16;

export function cellOf(frame: Frame, i: number): Cell {
  return frame.cells[i] as Cell;
}

/** What scores are whole multiples of. */
export function quantumOf(frame: Frame, z: Float64Array, reach: number): number {
  const shares = new Float64Array(SHARES);
  for (let i = 1; i < DIMENSIONS; i++) {
    const { half, top, place } = cellOf(frame, i);
    shares[place >> 4] = (shares[place >> 4] as number) + Math.abs(2 * (z[i] as number) * half) * top;
  }
  const least = (Math.max(Math.abs(z[0] as number), reach) * AXIS_UNIT * LOST_UNITS) / MOST_FACTOR;
  return Math.max((Math.max(...shares) / SHARE_QUANTA) * RELATIVE, least);
}

/** What of a square is on none of the axes and only may be there. */
function unseenOf({ hasAxes }: Frame): number {
  return hasAxes ? MOST_SQUARE - 1 : 0;
}

function reachOf(frame: Frame, z: Float64Array): number {
  let square = unseenOf(frame) / cellOf(frame, 0).weight ** 2;
  for (let i = 1; i < DIMENSIONS; i++) square += ((z[i] as number) / cellOf(frame, i).weight) ** 2;
  return Math.sqrt(square) * RELATIVE;
}

export function isFine(kind: Kind): boolean {
  return kind.startsWith('fine');
}

/** Whether whole quanta make a bound tighter. */
export function isRounded(kind: Kind): boolean {
  return kind !== 'tables';
}

/** The code of a number in cells from 0 to `top`, each of them twice as wide as `half`. */
function codeOf(y: number, half: number, top: number): number {
  return Math.floor(Math.min(Math.max((half > 0 ? y / (2 * half) : 0) + (top + 1) / 2, 0), top));
}

/** By how much the bounds of a turned probe and template exceed their product. */
export function excessOf(frame: Frame, z: Float64Array, y: Float64Array): Record<Kind, number> {
  const reach = reachOf(frame, z);
  const quantum = quantumOf(frame, z, reach);
  const w = quantum / LOST_UNITS;
  const [onAxis, axis] = [z[0] as number, Math.round((y[0] as number) / AXIS_UNIT)];
  const tables = new Float64Array(SHARES * 4);
  let [constant, largest, coarseSum] = [0, 0, 0];
  const unseen = unseenOf(frame) * cellOf(frame, 0).weight ** 2;
  let [coarseSquare, fineSquare] = [unseen, unseen];
  const digits = new Uint8Array(DIMENSIONS);
  for (let i = 1; i < DIMENSIONS; i++) {
    const cell = cellOf(frame, i);
    const a = 2 * (z[i] as number) * cell.half;
    const c = codeOf(y[i] as number, cell.half, cell.top);
    const rest = (y[i] as number) - (2 * c - cell.top) * cell.half;
    const d = codeOf(rest, cell.half / 4, 3);
    const fineRest = rest - ((2 * d - 3) * cell.half) / 4;
    coarseSquare += (cell.weight * rest) ** 2;
    fineSquare += (cell.weight * fineRest) ** 2;
    constant += (Math.abs(a) * cell.top) / 2;
    largest = Math.max(largest, Math.abs(a));
    const amount = Math.floor(((Math.abs(a) * QUANTUM) / quantum) * (1 - 1e-6));
    const at = cell.place >> 2;
    const steps = a > 0 ? cell.top - c : c;
    if (cell.top > 0) tables[at] = (tables[at] as number) + amount * steps;
    coarseSum += (z[i] as number) * rest;
    digits[i] = d;
  }
  let lost = 0;
  for (let share = 0; share < SHARES; share++) {
    let sum = 0;
    for (let at = share * 4; at < share * 4 + 4; at++)
      sum += Math.min(255, Math.floor((tables[at] as number) / QUANTUM));
    lost += Math.min(255, sum);
  }
  const [coarse, fine] = [coarseSquare, fineSquare].map(
    square => Math.sqrt(square) * RELATIVE + ABSOLUTE,
  ) as [number, number];
  const whole = Math.max(Math.ceil(Math.max(coarse, (fine * 32) / MOST_SHARE) * COARSE_UNITS), 1);
  const share = Math.min(Math.ceil((fine * COARSE_UNITS * 32) / whole), MOST_SHARE);
  const distanceFactor = Math.ceil((reach * AXIS_UNIT) / w);
  const score = axis * Math.round((onAxis * AXIS_UNIT) / w) - lost * 65536;
  const slack = (Math.abs(onAxis) * AXIS_UNIT) / 2 + ROUNDING + (FACTOR_ROUNDING + 1) * w;

  const fineFactor = Math.max(Math.ceil((largest * RELATIVE) / 4 / MOST_FACTORS / w), 1);
  let sum = 0;
  for (let i = 1; i < DIMENSIONS; i++) {
    const exact = (z[i] as number) * cellOf(frame, i).half;
    const factor = Math.round(exact / 2 / (fineFactor * w));
    sum += factor * ((digits[i] as number) - 1.5) + 1.5 * Math.abs(exact / 2 / (fineFactor * w) - factor);
  }
  const shared = score * w + constant * RELATIVE + slack - dot(z, y);
  return {
    coarse: shared + (whole * 32 + share) * distanceFactor * w,
    fine: shared + whole * share * distanceFactor * w + sum * fineFactor * w,
    'coarse distance': shared + reach * coarse,
    'fine distance': shared + reach * fine + sum * fineFactor * w,
    tables: reach * coarse - coarseSum,
  };
}

/** By how much a coordinate's code may change a product, for each step. */
export function sizeOf(frame: Frame, z: Float64Array, i: number): number {
  return Math.abs(2 * (z[i] as number) * cellOf(frame, i).half);
}

/** What factors of fine codes are whole multiples of. */
export function fineUnitOf(frame: Frame, z: Float64Array): number {
  const w = quantumOf(frame, z, 0) / LOST_UNITS;
  let largest = 0;
  for (let i = 1; i < DIMENSIONS; i++) largest = Math.max(largest, sizeOf(frame, z, i));
  return Math.max(Math.ceil((largest * RELATIVE) / 4 / MOST_FACTORS / w), 1) * w;
}
