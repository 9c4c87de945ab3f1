/**
 * Codes of one template: a coarse code with 0 to 4 bits per coordinate, a fine code with two more for each, the
 * coordinate on axis 0, and upper bounds for the weighted distance between the template and its decoded codes. The
 * search is exact because of these distances, so they are always rounded up; README.md has the proof. It decides
 * nothing. Held by test/matcher/bound.long.test.ts.
 *
 * A coordinate y is coded by its cell of width 2s: c in 0..top stands for (2c - top)s. The rest is coded in the same
 * way with a quarter of the step. Coordinate 0, on the axis, is stored in 16 bits instead; its codes mean nothing.
 */
import { bytes, fieldsOf, HALF, INVERSE, PLACE, spanOf, TOP, total, turn, WEIGHT } from './coding';
import * as layout from './layout';

/** Units of the coordinate on the axis, and of both distances. */
export const AXIS_UNIT: f64 = 1.0 / 16384.0;
/** The coarse distance has units of 1/512; the fine one is so many 32nds of it. Their bits suffice, see README.md. */
const COARSE_UNITS: f64 = 512;
export const SHARE_BITS: u32 = 5;
const MOST_SHARE: f64 = 31;
/** Allowance for rounding of 128 coordinates in float32, relative and absolute. */
export const RELATIVE: f64 = 1 + 1e-5;
const ABSOLUTE: f64 = 1e-5;
/** The squared norm of a turned template or probe is at most so much. */
const MOST_SQUARE: f64 = 1 + 1e-4;

/** The most that lies in none of the kept axes, of a vector whose coordinates on them have this sum of squares. */
export function unseenOf(coding: usize, square: f64): f64 {
  return fieldsOf(coding).axes == 0 ? 0 : max(MOST_SQUARE - square, 0);
}

/** Codes the template in a slot. @returns its fine distance */
export function encode(block: u32, index: u32): f64 {
  const coding = layout.codingOf(block, index);
  turn(coding, layout.vectorAddress(block, index));
  const vector = layout.scratchAt(layout.TURNED);
  const cells = layout.scratchAt(layout.WORK);
  const axis = <i32>nearest(<f64>load<f32>(vector) / AXIS_UNIT);
  const fine = layout.fineAddress(block, index);

  const quarter = f32x4.splat(0.25);
  const half = f32x4.splat(0.5);
  const one = f32x4.splat(1);
  const two = f32x4.splat(2);
  const zero = f32x4.splat(0);
  const top = f32x4.splat(3);
  let square = f32x4.splat(0);
  let coarseRest = f32x4.splat(0);
  let fineRest = f32x4.splat(0);
  const span = spanOf(coding) / 16;
  for (let j: usize = 0; j < span; j++) {
    let fineBits = i32x4.splat(0);
    for (let f: i32 = 0; f < 8; f += 2) {
      const i = j * 64 + <usize>f * 8;
      let y = v128.load(vector + i);
      square = f32x4.add(square, f32x4.mul(y, y));
      if (i == 0) y = f32x4.replace_lane(y, 0, 0);
      const s = v128.load(coding + i, HALF);
      const most = v128.load(coding + i, TOP);
      const inverse = v128.load(coding + i, INVERSE);
      const weight = v128.load(coding + i, WEIGHT);
      const cell = f32x4.add(f32x4.mul(y, inverse), f32x4.mul(f32x4.add(most, one), half));
      const c = f32x4.floor(f32x4.min(f32x4.max(cell, zero), most));
      const rest = f32x4.sub(y, f32x4.mul(f32x4.sub(f32x4.add(c, c), most), s));
      const fineCell = f32x4.add(f32x4.mul(rest, f32x4.mul(inverse, f32x4.splat(4))), two);
      const d = f32x4.floor(f32x4.min(f32x4.max(fineCell, zero), top));
      const left = f32x4.sub(rest, f32x4.mul(f32x4.sub(f32x4.add(d, d), top), f32x4.mul(s, quarter)));
      v128.store(cells + i, i32x4.trunc_sat_f32x4_s(c));
      fineBits = v128.or(fineBits, i32x4.shl(i32x4.trunc_sat_f32x4_s(d), f));
      const r = f32x4.mul(rest, weight);
      const q = f32x4.mul(left, weight);
      coarseRest = f32x4.add(coarseRest, f32x4.mul(r, r));
      fineRest = f32x4.add(fineRest, f32x4.mul(q, q));
    }
    store<u32>(fine + j * 4, bytes(fineBits));
  }
  // What lies in none of the kept axes is in both rests.
  const weight = <f64>load<f32>(coding, WEIGHT);
  const beyond = unseenOf(coding, total(square)) * weight * weight;
  const distance = root(total(fineRest) + beyond);
  const both = distances(root(total(coarseRest) + beyond), distance);
  const code = cells + layout.DIMENSIONS * 4;
  pack(coding, cells, code);
  storeCoarse(coding, block, index, code, (<u32>axis & 0xffff) | (both << 16));
  return distance;
}

/** Packs the cells (128 i32 at `cells`) into a coarse code at `code`. */
function pack(coding: usize, cells: usize, code: usize): void {
  memory.fill(code, 0, <usize>layout.MAX_ROWS);
  for (let i: usize = 0; i < spanOf(coding); i++) {
    const place = <usize>load<u8>(coding + i, PLACE);
    const at = code + (place >> 3);
    store<u8>(at, load<u8>(at) | (load<u8>(cells + i * 4) << (<u8>place & 7)));
  }
}

/** Writes a coarse code to the rows of its group, and its word: the coordinate on the axis, and both distances. */
function storeCoarse(coding: usize, block: u32, index: u32, code: usize, word: u32): void {
  const rows = <usize>fieldsOf(coding).rows;
  const group = layout.groupAddress(block, index / layout.GROUP_SLOTS, <u32>rows);
  const at = group + layout.byteOf(index);
  for (let row: usize = 0; row < rows; row++) store<u8>(at + row * layout.ROW_BYTES, load<u8>(code + row));
  store<u32>(group + rows * layout.ROW_BYTES + <usize>(index % layout.GROUP_SLOTS) * 4, word);
}

/** Upper bound of a distance whose square was computed in float32. */
function root(square: f64): f64 {
  return sqrt(square) * RELATIVE + ABSOLUTE;
}

/**
 * Both distances in 15 bits: the coarse one in the upper bits, and in the lower ones, where it makes that one slightly
 * larger, the share of it that the fine one is. So the coarse scan adds them with one multiplication.
 */
function distances(coarse: f64, fine: f64): u32 {
  const whole = max(ceil(max(coarse, (fine * 32) / MOST_SHARE) * COARSE_UNITS), 1);
  const share = ceil((fine * COARSE_UNITS * 32) / whole);
  return ((<u32>whole) << SHARE_BITS) | <u32>min(share, MOST_SHARE);
}

/** Erases the codes of a slot. */
export function eraseCodes(block: u32, index: u32): void {
  const none = layout.scratchAt(layout.WORK);
  memory.fill(none, 0, <usize>layout.MAX_ROWS);
  storeCoarse(layout.codingOf(block, index), block, index, none, 0);
  memory.fill(layout.fineAddress(block, index), 0, layout.FINE_BYTES);
}
