/**
 * Prepares a probe for the kernels: its turned coordinates quantised to 8 bits, tables made from them, and the terms of
 * the bound that README.md proves. In units of `w` (a quantum lowers a score by 65,536 of them), a template can be
 * within the cutoff only if
 *
 *     axis * axisFactor + distance * distanceFactor - (lost << 16) > floor
 *
 * `lost` is the sum from the tables; axis and distance come from the template's coarse code. With its fine code the
 * same formula holds with a different floor, see look.ts. Held by test/matcher/bound.long.test.ts.
 */
import { coarseNorm, fineNorm, reflect, step } from './coding';
import { AXIS_UNIT } from './encode';
import { DIMENSIONS, STATE, TERMS, TERMS_BYTES, turnedAddress, UNIT, VECTOR_BYTES } from './layout';
import { turn } from './rotate';
import { cutoff } from './select';

// Fields of a probe's TERMS.
export const FACTORS: usize = 0; // two i16: axisFactor, distanceFactor
export const FLOOR: usize = 8; // i32
export const FINE_FLOOR: usize = 12; // i32: the same for fine codes
const BACK: usize = 40; // u32: distance back to the search's address
const UNITS: usize = 16; // f64: w
const BASE: usize = 24; // f64: the part of coarse bounds that all templates share
const FINE_BASE: usize = 32; // f64: the same for fine bounds
// Constants in memory: the engine would build them again at every use.
export const MASK: usize = 48; // v128: 15 in each byte, the mask of a half byte
export const THREES: usize = 64; // v128: 3 in each byte, the mask of a fine code's digit
export const FINE_TABLE: usize = 80; // 128 i8: the quantised coordinates in the order of fine codes
export const SCORES: usize = 208; // 16 i32: of the templates that are being listed
export const TABLES: usize = 272; // 64 tables of 16 bytes

/** Largest magnitude of a quantised coordinate: fine codes need 8 bits. */
const MOST_QUANTA: f64 = 127;
/**
 * Most quanta for the 8 coordinates of 4 tables together. The sum of 4 tables is kept in 8 bits, and each quantum may
 * take off 3, so the sum can exceed 255. But it is typically half of that, a sum that stops at 255 only makes the score
 * too high, and smaller quanta make the bound tighter. This value leaves the fewest templates for a second look.
 */
const SHARE_QUANTA: f64 = 146;
/** All roundings together, see README.md. */
const ROUNDING: f64 = 1e-5;
/** Units of `w` for one quantum in `lost`. */
const LOST_UNITS: f64 = 65536;
/** Both factors must fit in 16 bits with their sign. */
const MOST_FACTOR: f64 = 32766;
/** Rounding axisFactor changes the sum by at most half of the largest axis coordinate. */
const FACTOR_ROUNDING: f64 = 8256;

export function termsOf(search: usize, probe: u32): usize {
  return search + TERMS + <usize>probe * TERMS_BYTES;
}

/** The search of the probe with these TERMS. */
export function searchOf(terms: usize): usize {
  return terms - load<u32>(terms, BACK);
}

/** Prepares the first `probes` probes of a search, which must be normalised already, for one gallery. */
export function prepare(search: usize, probes: u32, gallery: u32): void {
  for (let p: u32 = 0; p < probes; p++) {
    turn(search + UNIT + <usize>p * VECTOR_BYTES);
    reflect(gallery);
    const terms = termsOf(search, p);
    store<u32>(terms, <u32>(terms - search), BACK);
    prepareOne(terms, gallery);
  }
  lower(search, probes);
}

function prepareOne(terms: usize, gallery: u32): void {
  const vector = turnedAddress();
  const onAxis = <f64>load<f32>(vector);
  let square: f64 = 0;
  let largest: f64 = 0;
  for (let i: usize = 1; i < DIMENSIONS; i++) {
    const z = <f64>load<f32>(vector + i * 4);
    square += z * z;
    largest = max(largest, abs(z));
  }
  const beside = sqrt(square) * (1 + 1e-9);
  const s = <f64>step(gallery);
  // With small steps the factors only fit with larger quanta. That costs little: the codes then add almost nothing.
  const least = (max(abs(onAxis), beside) * AXIS_UNIT * LOST_UNITS) / (2 * s * MOST_FACTOR);
  const quantum = max(max(largest / MOST_QUANTA, largestShare(vector) / SHARE_QUANTA), least);

  let sum: i32 = 0;
  let magnitude: i32 = 0;
  let restSquare: f64 = 0;
  store<f32>(vector, 0);
  for (let i: usize = 1; i < DIMENSIONS; i++) {
    const z = <f64>load<f32>(vector + i * 4);
    const q = <i32>nearest(z / quantum);
    const rest = z - quantum * <f64>q;
    restSquare += rest * rest;
    sum += q;
    magnitude += abs(q);
    // The quantised coordinate replaces the coordinate.
    store<i32>(vector + i * 4, q);
  }
  const rest = sqrt(restSquare) * (1 + 1e-9);
  fill(terms + TABLES, vector);
  fillFine(terms + FINE_TABLE, vector);

  const weight = 2 * s * quantum;
  const constant = 1.5 * weight * <f64>magnitude;
  const slack = abs(onAxis) * AXIS_UNIT * 0.5 + ROUNDING;
  const w = weight / LOST_UNITS;
  const axisFactor = <i32>nearest((onAxis * AXIS_UNIT) / w);
  const distanceFactor = <i32>ceil((beside * AXIS_UNIT) / w);
  store<i32>(terms, (axisFactor & 0xffff) | (distanceFactor << 16), FACTORS);
  store<f64>(terms, w, UNITS);
  store<f64>(terms, constant + rest * coarseNorm(gallery) + slack, BASE);
  store<f64>(terms, constant - 0.375 * weight * <f64>sum + rest * fineNorm(gallery) + slack, FINE_BASE);
  v128.store(terms, i8x16.splat(15), MASK);
  v128.store(terms, i8x16.splat(3), THREES);
}

/** The largest sum of magnitudes over the 8 coordinates that two vectors of codes hold, without coordinate 0. */
function largestShare(vector: usize): f64 {
  let largest: f64 = 0;
  for (let first: usize = 0; first < DIMENSIONS; first += 16) {
    for (let b: usize = 0; b < 4; b += 2) {
      let share: f64 = 0;
      for (let f: usize = 0; f < 16; f += 4) {
        const i = first + f + b;
        if (i > 0) share += abs(<f64>load<f32>(vector + i * 4));
        share += abs(<f64>load<f32>(vector + i * 4, 4));
      }
      largest = max(largest, share);
    }
  }
  return largest;
}

/**
 * Writes the tables of quantised coordinates (128 i32 at `from`). A table has 16 bytes, one for each value of half a
 * byte of codes: how much less than their maximum its two coordinates add to the score. Byte 4j + b of a template's
 * codes holds coordinates 16j + b, 16j + b + 4, 16j + b + 8 and 16j + b + 12, from the lowest bits up.
 */
function fill(table: usize, from: usize): void {
  const digits = i16x8(0, 1, 2, 3, 0, 1, 2, 3);
  const upper = i16x8(0, 0, 0, 0, 1, 1, 1, 1);
  for (let half: usize = 0; half < 64; half++) {
    const at = from + ((half >> 3) * 16 + ((half >> 1) & 3) + (half & 1) * 8) * 4;
    const low = load<i32>(at);
    const high = load<i32>(at, 16);
    const most = i16x8.splat(<i16>(3 * (max(low, 0) + max(high, 0))));
    const ofHigh = i16x8.splat(<i16>high);
    const first = i16x8.sub(
      i16x8.sub(most, i16x8.mul(digits, i16x8.splat(<i16>low))),
      i16x8.mul(upper, ofHigh),
    );
    // Values 8 to 15 have an upper digit that is larger by 2 than that of values 0 to 7.
    v128.store(table + half * 16, i8x16.narrow_i16x8_u(first, i16x8.sub(first, i16x8.shl(ofHigh, 1))));
  }
}

/** Row f + 4h of 16 bytes has the coordinates in field f of byte b of half h of a fine code, see encode.ts. */
function fillFine(table: usize, from: usize): void {
  for (let i: usize = 0; i < DIMENSIONS; i++) {
    const row = (i >> 6) * 4 + ((i >> 2) & 3);
    store<i8>(table + row * 16 + ((i >> 4) & 3) * 4 + (i & 3), load<i8>(from + i * 4));
  }
}

/** Updates the floors of a search's probes to the current cutoff. */
export function lower(search: usize, probes: u32): void {
  const least = 1 - cutoff(search + STATE);
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
