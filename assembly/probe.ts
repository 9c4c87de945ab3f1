/**
 * What the kernels need of a probe: its turned coordinates quantised to 8 bits and spread over lanes, and the terms of
 * the bound that README.md proves. In units of `w`, which is chosen so that 32 bits suffice, a template can only lie
 * within the cutoff when
 *
 *     (score << shift) + axis * axisFactor + distance * distanceFactor > floor
 *
 * where score, axis and distance are integers of the template's coarse code; with fine codes the same holds with a floor
 * of its own, where the score is 4 coarse + fine and the shift 2 less. Held by test/matcher/bound.test.ts.
 */
import { coarseNorm, fineNorm, reflect, step } from './coding';
import { AXIS_UNIT } from './encode';
import {
  DIMENSIONS,
  STATE,
  TABLE_BYTES,
  TABLES,
  TERMS,
  TERMS_BYTES,
  turnedAddress,
  UNIT,
  VECTOR_BYTES,
} from './layout';
import { turn } from './rotate';
import { cutoff } from './select';

// Fields of a probe's TERMS.
export const FACTORS: usize = 0; // two i16: axisFactor, distanceFactor
export const SHIFT: usize = 4; // i32
export const FLOOR: usize = 8; // i32
export const FINE_FLOOR: usize = 12; // i32: the same for fine codes
const BACK: usize = 40; // u32: from here to the search's address
export const SCORES: usize = 48; // v128: of the group that is being listed
const UNITS: usize = 16; // f64: w
const BASE: usize = 24; // f64: the part of coarse bounds that is the same for all templates
const FINE_BASE: usize = 32; // f64: the same of fine bounds
// Masks of fields, kept in memory: the engine makes a constant anew wherever it is used.
export const MASK: usize = 64; // v128
export const UPPER_MASK: usize = 80; // v128
export const FINE_TABLE: usize = 96; // 128 i8: the quantised coordinates in the order of fine codes

/** Largest magnitude of a quantised coordinate: the product with a code must fit the kernels' instruction. */
const QUANTA: f64 = 127;
/**
 * Most quanta that 32 coordinates of odd fields may have together, less half a quantum of rounding each: the relaxed
 * kernel sums them in 16 bits, 12 at most for each.
 */
const MOST_ODD: f64 = 2714;
/** All roundings together, see README.md. */
const ROUNDING: f64 = 1e-5;
/** Shifted scores stay within this; so do, with half of it each, the two products that are added. */
const MOST: f64 = 536870912;
const MOST_FACTOR: f64 = 16383;
const MOST_SHIFT: i32 = 14;
/** Fine scores are four times as large. With the least quantum and step this shift always fits, see README.md. */
export const LEAST_SHIFT: i32 = 2;
const LEAST_LARGEST: f64 = 0.01;
/** Rounding axisFactor moves the sum by at most half of the largest axis coordinate. */
const FACTOR_ROUNDING: f64 = 8256;

export function termsOf(search: usize, probe: u32): usize {
  return search + TERMS + <usize>probe * TERMS_BYTES;
}
export function tableOf(search: usize, probe: u32): usize {
  return search + TABLES + <usize>probe * TABLE_BYTES;
}

/** The search that a probe with these TERMS belongs to. */
export function searchOf(terms: usize): usize {
  return terms - load<u32>(terms, BACK);
}

/** Prepares the first `probes` probes of a search, which are normalised already, for one gallery. */
export function prepare(search: usize, probes: u32, gallery: u32): void {
  for (let p: u32 = 0; p < probes; p++) {
    turn(search + UNIT + <usize>p * VECTOR_BYTES);
    reflect(gallery);
    const terms = termsOf(search, p);
    store<u32>(terms, <u32>(terms - search), BACK);
    prepareOne(tableOf(search, p), terms, gallery);
  }
  lower(search, probes);
}

function prepareOne(table: usize, terms: usize, gallery: u32): void {
  const vector = turnedAddress();
  const onAxis = <f64>load<f32>(vector);
  let square: f64 = 0;
  let largest = LEAST_LARGEST;
  let low: f64 = 0;
  let high: f64 = 0;
  for (let i: usize = 1; i < DIMENSIONS; i++) {
    const z = <f64>load<f32>(vector + i * 4);
    square += z * z;
    largest = max(largest, abs(z));
    // Coordinates of the odd fields, by the half of the 32-bit lane that sums them up.
    if ((i & 4) == 0) continue;
    if ((i & 2) == 0) low += abs(z);
    else high += abs(z);
  }
  const beside = sqrt(square) * (1 + 1e-9);
  const quantum = max(largest / QUANTA, max(low, high) / MOST_ODD);

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
    // The quantised coordinate takes the place of the coordinate.
    store<i32>(vector + i * 4, q);
  }
  const rest = sqrt(restSquare) * (1 + 1e-9);
  fill(table, vector);
  fillFine(terms + FINE_TABLE, vector);

  const weight = 2 * <f64>step(gallery) * quantum;
  const constant = -1.5 * weight * <f64>sum;
  const slack = abs(onAxis) * AXIS_UNIT * 0.5 + ROUNDING;
  let shift = MOST_SHIFT;
  while (
    shift > LEAST_SHIFT &&
    !fits(weight / <f64>(1 << shift), onAxis, beside, <f64>(3 * magnitude) * <f64>(1 << shift))
  )
    shift--;
  const w = weight / <f64>(1 << shift);
  const axisFactor = <i32>nearest((onAxis * AXIS_UNIT) / w);
  const distanceFactor = <i32>ceil((beside * AXIS_UNIT) / w);
  store<i32>(terms, (axisFactor & 0xffff) | (distanceFactor << 16), FACTORS);
  store<i32>(terms, shift, SHIFT);
  store<f64>(terms, w, UNITS);
  store<f64>(terms, constant + rest * coarseNorm(gallery) + slack, BASE);
  store<f64>(terms, constant * 1.25 + rest * fineNorm(gallery) + slack, FINE_BASE);
  v128.store(terms, i32x4.splat(ASC_FEATURE_RELAXED_SIMD ? 0x03030303 : 0x00030003), MASK);
  v128.store(terms, i32x4.splat(0x0c0c0c0c), UPPER_MASK);
}

function fits(w: f64, onAxis: f64, beside: f64, score: f64): bool {
  return score <= MOST && max(abs(onAxis), beside) * AXIS_UNIT <= w * MOST_FACTOR;
}

/** Spreads quantised coordinates (128 i32 at `from`) as the kernels of this build read them. */
function fill(table: usize, from: usize): void {
  if (ASC_FEATURE_RELAXED_SIMD) {
    // Field f of the bytes of vector j holds coordinates 16j + 4f to 16j + 4f + 3.
    for (let i: usize = 0; i < 32; i++) {
      const at = from + i * 16;
      const four =
        (load<i32>(at) & 0xff) |
        ((load<i32>(at, 4) & 0xff) << 8) |
        ((load<i32>(at, 8) & 0xff) << 16) |
        (load<i32>(at, 12) << 24);
      v128.store(table + i * 16, i32x4.splat(four));
    }
  } else {
    // The same fields seen from 16-bit lanes: each has those of its lower byte, then those of its upper byte.
    for (let i: usize = 0; i < 64; i++) {
      const at = from + ((i >> 3) * 16 + (i & 3) * 4 + ((i >> 2) & 1)) * 4;
      v128.store(table + i * 16, i32x4.splat((load<i32>(at) & 0xffff) | (load<i32>(at, 8) << 16)));
    }
  }
}

/** Row f + 4h of 16 bytes has the coordinates that field f of byte b of half h of a fine code holds, see encode.ts. */
function fillFine(table: usize, from: usize): void {
  for (let i: usize = 0; i < DIMENSIONS; i++) {
    const row = (i >> 6) * 4 + ((i >> 2) & 3);
    store<i8>(table + row * 16 + ((i >> 4) & 3) * 4 + (i & 3), load<i8>(from + i * 4));
  }
}

/** Sets the floors of a search's probes to what was found so far. */
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
