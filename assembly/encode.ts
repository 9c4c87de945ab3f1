/**
 * Codes of one template: two bits per coordinate as coarse code, two more as fine code, the coordinate on the gallery's
 * axis, and upper bounds for the distance between the template and its decoded codes. The search is exact because of
 * these distances, so they are always rounded up; README.md has the proof. It decides nothing.
 * Held by test/matcher/bound.long.test.ts.
 *
 * A coordinate y is coded by its cell of width 2s: c in 0..3 stands for (2c - 3)s. The rest is coded in the same way
 * with a quarter of the step. Coordinate 0, on the axis, is stored in 16 bits instead; its codes mean nothing.
 */
import { noteNorms, reflect, step } from './coding';
import {
  byteOf,
  COARSE_BYTES,
  COARSE_TERMS,
  coarseAddress,
  FINE_BYTES,
  fineAddress,
  GROUP_SLOTS,
  turnedAddress,
} from './layout';

/** Units of the coordinate on the axis, and of the two distances; see `distances`. */
export const AXIS_UNIT: f64 = 1.0 / 16384.0;
const COARSE_UNITS: f64 = 128;
const FINE_UNITS: f64 = 64;
/** Bits of the fine distance. Neither distance reaches the limit of its bits, see README.md. */
const FINE_BITS: u32 = 7;
/** Allowance for rounding of 128 coordinates in float32, relative and absolute. */
const RELATIVE: f64 = 1 + 1e-5;
const ABSOLUTE: f64 = 4e-6;

/** Codes the vector at `turnedAddress()`, before the gallery's reflection, into a slot. */
export function encode(gallery: u32, block: u32, index: u32): void {
  reflect(gallery);
  const vector = turnedAddress();
  const axis = <i32>nearest(<f64>load<f32>(vector) / AXIS_UNIT);
  const group = coarseAddress(block) + <usize>(index / GROUP_SLOTS) * COARSE_BYTES;
  const coarse = group + byteOf(index);
  const word = group + COARSE_TERMS + <usize>(index % GROUP_SLOTS) * 4;
  const fine = fineAddress(block, index);

  const s = step(gallery);
  const s2 = f32x4.splat(2 * s);
  const s3 = f32x4.splat(3 * s);
  const inverse = f32x4.splat(<f32>1 / (2 * s));
  const t = s / 4;
  const t2 = f32x4.splat(2 * t);
  const t3 = f32x4.splat(3 * t);
  const fineInverse = f32x4.splat(<f32>1 / (2 * t));
  const two = f32x4.splat(2);
  const zero = f32x4.splat(0);
  const top = f32x4.splat(3);

  let coarseRest = f32x4.splat(0);
  let fineRest = f32x4.splat(0);
  let coarseSquare = f32x4.splat(0);
  let fineSquare = f32x4.splat(0);
  // Coordinate 0 is not coded.
  let counted = i32x4(0, -1, -1, -1);
  for (let j: usize = 0; j < 8; j++) {
    let coarseBits = i32x4.splat(0);
    let fineBits = i32x4.splat(0);
    for (let f: i32 = 0; f < 8; f += 2) {
      const y = v128.load(vector + j * 64 + <usize>f * 8);
      const c = f32x4.floor(f32x4.min(f32x4.max(f32x4.add(f32x4.mul(y, inverse), two), zero), top));
      const level = f32x4.sub(f32x4.mul(c, s2), s3);
      const rest = f32x4.sub(y, level);
      const d = f32x4.floor(f32x4.min(f32x4.max(f32x4.add(f32x4.mul(rest, fineInverse), two), zero), top));
      const fineLevel = f32x4.sub(f32x4.mul(d, t2), t3);
      coarseBits = v128.or(coarseBits, i32x4.shl(i32x4.trunc_sat_f32x4_s(c), f));
      fineBits = v128.or(fineBits, i32x4.shl(i32x4.trunc_sat_f32x4_s(d), f));
      const r = v128.and(rest, counted);
      coarseRest = f32x4.add(coarseRest, f32x4.mul(r, r));
      const q = v128.and(f32x4.sub(rest, fineLevel), counted);
      fineRest = f32x4.add(fineRest, f32x4.mul(q, q));
      const l = v128.and(level, counted);
      coarseSquare = f32x4.add(coarseSquare, f32x4.mul(l, l));
      const m = v128.and(f32x4.add(level, fineLevel), counted);
      fineSquare = f32x4.add(fineSquare, f32x4.mul(m, m));
      counted = i32x4.splat(-1);
    }
    const four = bytes(coarseBits);
    for (let b: usize = 0; b < 4; b++)
      store<u8>(coarse + (j * 4 + b) * <usize>GROUP_SLOTS, four >> (<u32>b * 8));
    store<u32>(fine + j * 4, bytes(fineBits));
  }
  noteNorms(gallery, root(coarseSquare), root(fineSquare));
  store<u32>(word, (<u32>axis & 0xffff) | (distances(root(coarseRest), root(fineRest)) << 16));
}

/** The lowest byte of each lane. */
function bytes(lanes: v128): u32 {
  return <u32>(
    i32x4.extract_lane(v128.shuffle<i8>(lanes, lanes, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12), 0)
  );
}

/** Upper bound of the root of the sum of four lanes. */
function root(lanes: v128): f64 {
  const sum =
    <f64>f32x4.extract_lane(lanes, 0) +
    <f64>f32x4.extract_lane(lanes, 1) +
    <f64>f32x4.extract_lane(lanes, 2) +
    <f64>f32x4.extract_lane(lanes, 3);
  return sqrt(sum) * RELATIVE + ABSOLUTE;
}

/**
 * Both distances in 15 bits, so that the coarse scan adds them with one multiplication: the coarse one, in units of
 * 1/128, in the upper bits, and the fine one, in units of 1/64, in the lower 7 bits, where it makes the coarse one
 * slightly larger.
 */
function distances(coarse: f64, fine: f64): u32 {
  return ((<u32>ceil(coarse * COARSE_UNITS)) << FINE_BITS) | <u32>ceil(fine * FINE_UNITS);
}

/** Erases the codes of a slot. */
export function eraseCodes(block: u32, index: u32): void {
  const group = coarseAddress(block) + <usize>(index / GROUP_SLOTS) * COARSE_BYTES;
  const coarse = group + byteOf(index);
  const word = group + COARSE_TERMS + <usize>(index % GROUP_SLOTS) * 4;
  const fine = fineAddress(block, index);
  for (let at: usize = 0; at < COARSE_TERMS; at += <usize>GROUP_SLOTS) store<u8>(coarse + at, 0);
  memory.fill(fine, 0, FINE_BYTES);
  store<u32>(word, 0);
}
