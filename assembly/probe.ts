/**
 * Prepares a probe for the kernels: tables of how much each half byte of a coarse code lowers a template's score, the
 * factors of fine codes, and the terms of the bound that README.md proves. In units of `w` (a quantum lowers a score by
 * 65,536 of them), a template can be within the cutoff only if
 *
 *     axis * axisFactor + distance * distanceFactor - (lost << 16) > floor
 *
 * `lost` is the sum from the tables; axis and distance come from the template's coarse code. With its fine code the
 * same formula holds with a different floor, see look.ts. Held by test/matcher/bound.long.test.ts.
 */
import { bytes, fieldsOf, HALF, PLACE, spanOf, TOP, total, turn, WEIGHT } from './coding';
import { AXIS_UNIT, RELATIVE, unseenOf } from './encode';
import * as layout from './layout';
import { cutoff } from './select';

// Fields of a probe's TERMS.
export const FACTORS: usize = 0; // two i16: axisFactor, distanceFactor
export const FINE_FACTOR: usize = 4; // i32: units of w for one unit of a fine sum
export const FLOOR: usize = 8; // i32
export const FINE_FLOOR: usize = 12; // i32: the same for fine codes
const UNITS: usize = 16; // f64: w
const BASE: usize = 24; // f64: the part of coarse bounds that all templates share
const FINE_BASE: usize = 32; // f64: the same for fine bounds
const BACK: usize = 40; // u32: distance back to the search's address
export const ROWS_END: usize = 44; // u32: bytes of the rows of a group
// Constants in memory: the engine would build them again at every use.
export const MASK: usize = 48; // v128: 15 in each byte, the mask of a half byte
export const THREES: usize = 64; // v128: 3 in each byte, the mask of a fine code's digit
export const FINE_TABLE: usize = 80; // 128 i8: the factors of the coordinates in the order of fine codes
export const SCORES: usize = 208; // 16 i32: of the templates that are being listed
export const TABLES: usize = 272; // 64 tables of 16 bytes

/**
 * Most quanta that the 4 tables whose sum is kept in 8 bits may take off together. It can exceed 255, because the sum
 * is typically half of that, a sum that stops at 255 only makes the score too high, and smaller quanta make the bound
 * tighter. This value leaves the fewest templates for a second look.
 */
const SHARE_QUANTA: f64 = 438;
/** Tables are added up in units of 1/64 quantum, in 16 bits. */
const FRACTION_BITS: i32 = 6;
/** Largest magnitude of the factor of a fine code. */
const MOST_FACTORS: f64 = 127;
/** All roundings together, see README.md. */
const ROUNDING: f64 = 1e-4;
/** Units of `w` for one quantum in `lost`. */
const LOST_UNITS: f64 = 65536;
/** Both factors are at most so large, so that no score overflows, see README.md. */
const MOST_FACTOR: f64 = 12000;
/** Rounding axisFactor changes the sum by at most half of the largest axis coordinate. */
const FACTOR_ROUNDING: f64 = 8256;

export function termsOf(search: usize, probe: u32): usize {
  return search + layout.TERMS + <usize>probe * layout.TERMS_BYTES;
}

/** The search of the probe with these TERMS. */
export function searchOf(terms: usize): usize {
  return terms - load<u32>(terms, BACK);
}

/** Prepares the first `probes` probes of a search, which must be normalised already, for templates with a coding. */
export function prepare(search: usize, probes: u32, coding: usize): void {
  for (let p: u32 = 0; p < probes; p++) {
    turn(coding, search + layout.UNIT + <usize>p * layout.VECTOR_BYTES);
    const terms = termsOf(search, p);
    store<u32>(terms, <u32>(terms - search), BACK);
    prepareOne(terms, coding);
  }
  lower(search, probes);
}

function prepareOne(terms: usize, coding: usize): void {
  const vector = layout.scratchAt(layout.TURNED);
  const onAxis = <f64>load<f32>(vector);
  store<f32>(vector, 0);
  // What one cell more adds to the product replaces the coordinate.
  let reach = f32x4.splat(0);
  let square = f32x4.splat(0);
  let range = f32x4.splat(0);
  let largest = f32x4.splat(0);
  const end = spanOf(coding) * 4;
  for (let i: usize = 0; i < end; i += 16) {
    const z = v128.load(vector + i);
    square = f32x4.add(square, f32x4.mul(z, z));
    const weighted = f32x4.div(z, v128.load(coding + i, WEIGHT));
    reach = f32x4.add(reach, f32x4.mul(weighted, weighted));
    const half = f32x4.mul(z, v128.load(coding + i, HALF));
    const cell = f32x4.add(half, half);
    const size = f32x4.abs(cell);
    range = f32x4.add(range, f32x4.mul(size, v128.load(coding + i, TOP)));
    largest = f32x4.max(largest, size);
    v128.store(vector + i, cell);
  }
  const weight = <f64>load<f32>(coding, WEIGHT);
  const unseen = unseenOf(coding, onAxis * onAxis + total(square)) / (weight * weight);
  const beside = sqrt(total(reach) + unseen) * RELATIVE;

  // With small steps the factors only fit with larger quanta. That costs little: the codes then add almost nothing.
  const least = (max(abs(onAxis), beside) * AXIS_UNIT * LOST_UNITS) / MOST_FACTOR;
  const quantum = max((largestShare(vector, coding) / SHARE_QUANTA) * RELATIVE, least);
  const w = quantum / LOST_UNITS;
  fill(terms + TABLES, vector, coding, quantum);

  const most = (largestOf(largest) * 0.25 * RELATIVE) / MOST_FACTORS;
  const fineFactor = max(ceil(most / w), 1);
  const unit = fineFactor * w;
  const fineBase = fillFine(terms + FINE_TABLE, vector, unit);

  const constant = total(range) * 0.5 * RELATIVE;
  const slack = abs(onAxis) * AXIS_UNIT * 0.5 + ROUNDING;
  const axisFactor = <i32>nearest((onAxis * AXIS_UNIT) / w);
  const distanceFactor = <i32>ceil((beside * AXIS_UNIT) / w);
  store<i32>(terms, (axisFactor & 0xffff) | (distanceFactor << 16), FACTORS);
  store<i32>(terms, <i32>fineFactor, FINE_FACTOR);
  store<f64>(terms, w, UNITS);
  store<f64>(terms, constant + slack, BASE);
  store<f64>(terms, constant + fineBase + slack, FINE_BASE);
  store<u32>(terms, fieldsOf(coding).rows * <u32>layout.ROW_BYTES, ROWS_END);
  v128.store(terms, i8x16.splat(15), MASK);
  v128.store(terms, i8x16.splat(3), THREES);
}

/** The largest of four lanes. */
function largestOf(lanes: v128): f64 {
  const two = f32x4.max(lanes, v128.shuffle<i32>(lanes, lanes, 2, 3, 2, 3));
  return <f64>max(f32x4.extract_lane(two, 0), f32x4.extract_lane(two, 1));
}

/** The most that 4 tables together can take off. */
function largestShare(cells: usize, coding: usize): f64 {
  const shares = layout.scratchAt(layout.WORK);
  memory.fill(shares, 0, <usize>layout.MAX_HALVES);
  for (let i: usize = 4; i < spanOf(coding) * 4; i += 4) {
    const at = shares + ((<usize>load<u8>(coding + (i >> 2), PLACE) >> 4) << 2);
    store<f32>(at, load<f32>(at) + abs(load<f32>(cells + i)) * load<f32>(coding + i, TOP));
  }
  let largest: f32 = 0;
  for (let at: usize = 0; at < <usize>layout.MAX_HALVES; at += 4)
    largest = max(largest, load<f32>(shares + at));
  return <f64>largest;
}

/**
 * Writes the tables. A table has 16 bytes, one for each value of half a byte of codes: how much less than their maximum
 * its coordinates add to the score, in quanta, rounded down.
 */
function fill(tables: usize, cells: usize, coding: usize, quantum: f64): void {
  const work = layout.scratchAt(layout.WORK);
  const halves = fieldsOf(coding).rows * 2;
  memory.fill(work, 0, <usize>halves * 32);
  const scale = (<f64>(1 << FRACTION_BITS) / quantum) * (1 - 1e-6);
  const low = i16x8(0, 1, 2, 3, 4, 5, 6, 7);
  const high = i16x8(8, 9, 10, 11, 12, 13, 14, 15);
  for (let i: usize = 1; i < spanOf(coding); i++) {
    const top = <i16>load<f32>(coding + i * 4, TOP);
    if (top == 0) continue;
    const cell = <f64>load<f32>(cells + i * 4);
    const place = load<u8>(coding + i, PLACE);
    const at = work + ((<usize>(place >> 2)) << 5);
    const bits = i16x8.splat(top);
    // A positive coordinate is at its maximum in the last cell, a negative one in the first.
    const from = i16x8.splat(cell > 0 ? top : 0);
    const amount = i16x8.splat(<i16>floor(abs(cell) * scale));
    const shift = <i32>place & 3;
    const first = v128.xor(v128.and(i16x8.shr_u(low, shift), bits), from);
    const second = v128.xor(v128.and(i16x8.shr_u(high, shift), bits), from);
    v128.store(at, i16x8.add(v128.load(at), i16x8.mul(first, amount)));
    v128.store(at, i16x8.add(v128.load(at, 16), i16x8.mul(second, amount)), 16);
  }
  for (let half: usize = 0; half < <usize>halves; half++) {
    const at = work + half * 32;
    const first = i16x8.shr_u(v128.load(at), FRACTION_BITS);
    const second = i16x8.shr_u(v128.load(at, 16), FRACTION_BITS);
    v128.store(tables + half * 16, i8x16.narrow_i16x8_u(first, second));
  }
}

/**
 * Writes the factors of fine codes, whole numbers of `unit`, and returns the part of the bound that they leave to all
 * templates. Row f + 4h of 16 bytes has the coordinates in field f of byte b of half h of a fine code, see encode.ts.
 */
function fillFine(table: usize, cells: usize, unit: f64): f64 {
  let sum = f32x4.splat(0);
  let lost = f32x4.splat(0);
  const inverse = f32x4.splat(<f32>(0.25 / unit));
  for (let i: usize = 0; i < layout.DIMENSIONS; i += 4) {
    const exact = f32x4.mul(v128.load(cells + i * 4), inverse);
    const factor = f32x4.nearest(exact);
    sum = f32x4.add(sum, factor);
    lost = f32x4.add(lost, f32x4.abs(f32x4.sub(exact, factor)));
    const row = (i >> 6) * 4 + ((i >> 2) & 3);
    store<u32>(table + row * 16 + ((i >> 4) & 3) * 4, bytes(i32x4.trunc_sat_f32x4_s(factor)));
  }
  return 1.5 * unit * (total(lost) * RELATIVE - total(sum));
}

/** Updates the floors of a search's probes to the current cutoff. */
export function lower(search: usize, probes: u32): void {
  const least = 1 - cutoff(search + layout.STATE);
  for (let p: u32 = 0; p < probes; p++) {
    const terms = termsOf(search, p);
    const w = load<f64>(terms, UNITS);
    store<i32>(terms, floorOf((least - load<f64>(terms, BASE)) / w), FLOOR);
    store<i32>(terms, floorOf((least - load<f64>(terms, FINE_BASE)) / w), FINE_FLOOR);
  }
}

function floorOf(bound: f64): i32 {
  return <i32>max(min(floor(bound - FACTOR_ROUNDING) - 1, 2147483647), -2147483648);
}
