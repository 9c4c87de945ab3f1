/**
 * How templates of a gallery are coded: the axes on which their coordinates are taken, and for each coordinate the
 * cells of its code. A coding without axes takes the numbers of a template as they are, with two bits each. One with
 * axes has as axis 0 what the templates have in common, and spends its bits where the templates differ most (learn.ts,
 * allot.ts). A coding never changes an answer, only how many templates need a second look. Held by
 * test/matcher/bound.long.test.ts.
 */
import { addressOf, DIMENSIONS, MAX_ROWS, scratchAt, TURNED, VECTOR_BYTES } from './layout';

/** Single fields of a coding. */
@unmanaged
export class Coding {
  /** Rows of a group, two half bytes of a template each; a multiple of 4. */
  rows: u32;
  /** Page with the axes, rows of 128 f32; 0: none. */
  axes: u32;
  /** Axes that are used, a multiple of 4. */
  kept: u32;
  /** What a search costs, see allot.ts, and the fine distance of the templates that it was made for. */
  cost: f64;
  distance: f64;
}
// Rows of 128 f32, one number for each coordinate.
/** Half the width of a coarse cell. 0: the coordinate has neither a coarse nor a fine code. */
export const HALF: usize = 64;
/** 1 / (2 × half). */
export const INVERSE: usize = HALF + VECTOR_BYTES;
/** Largest coarse code: 2^bits - 1. */
export const TOP: usize = INVERSE + VECTOR_BYTES;
/** Weight of the coordinate's rest in the distance, at most 1; of coordinate 0, of what lies in no axis. */
export const WEIGHT: usize = TOP + VECTOR_BYTES;
/** 128 u8: the first of the coordinate's bits in a coarse code. */
export const PLACE: usize = WEIGHT + VECTOR_BYTES;

/** Distances of templates that prefer no direction, in the coding without axes. */
export const PLAIN_COARSE: f64 = 0.36;
export const PLAIN_FINE: f64 = 0.1;

const LEAST_DEVIATION: f64 = 1e-6;

/** Half a coarse cell of each number of bits, in standard deviations: a little more than is best for coarse codes. */
function halfOf(bits: u32): f64 {
  return bits == 0 ? 2 : bits == 1 ? 0.84 : bits == 2 ? 0.54 : bits == 3 ? 0.31 : 0.18;
}

export function fieldsOf(coding: usize): Coding {
  return changetype<Coding>(coding);
}

/** Axes that are used, rounded up to whole rows of codes: 16 coordinates. */
export function spanOf(coding: usize): usize {
  return <usize>((fieldsOf(coding).kept + 15) & ~15);
}

/** Gives coordinate `i` of standard deviation `deviation` so many bits from bit `place` on. */
export function setCell(coding: usize, i: u32, bits: u32, place: u32, deviation: f64, weight: f64): void {
  // With next to no deviation, 1 / half would not be a number.
  const half: f32 = deviation < LEAST_DEVIATION ? 0 : <f32>(halfOf(bits) * deviation);
  store<f32>(coding + i * 4, half, HALF);
  store<f32>(coding + i * 4, half > 0 ? <f32>1 / (2 * half) : 0, INVERSE);
  store<f32>(coding + i * 4, <f32>((1 << bits) - 1), TOP);
  store<f32>(coding + i * 4, <f32>weight, WEIGHT);
  store<u8>(coding + i, place, PLACE);
}

/** Makes the coding without axes: all coordinates but number 0, which is kept apart, have two bits. */
export function setPlain(coding: usize): void {
  const fields = fieldsOf(coding);
  fields.rows = MAX_ROWS;
  fields.axes = 0;
  fields.kept = <u32>DIMENSIONS;
  fields.cost = Infinity;
  fields.distance = PLAIN_FINE;
  const deviation = sqrt(1 / <f64>DIMENSIONS);
  setCell(coding, 0, 0, 0, 0, 1);
  for (let i: usize = 1; i < DIMENSIONS; i++) setCell(coding, <u32>i, 2, <u32>i * 2, deviation, 1);
}

/** Writes the coordinates of the 128 f32 at `from` to `TURNED`. */
export function turn(coding: usize, from: usize): void {
  const page = fieldsOf(coding).axes;
  if (page == 0) memory.copy(scratchAt(TURNED), from, VECTOR_BYTES);
  else multiply(addressOf(page), fieldsOf(coding).kept, from, scratchAt(TURNED));
}

/**
 * Writes the products of the rows at `matrix` (128 f32 each) and the vector at `from` to `to`: of `rows` rows, a
 * multiple of 4, and zeros behind them.
 */
export function multiply(matrix: usize, rows: u32, from: usize, to: usize): void {
  const end = to + <usize>rows * 4;
  memory.fill(end, 0, VECTOR_BYTES - <usize>rows * 4);
  for (; to < end; to += 16) {
    let a = f32x4.splat(0);
    let b = f32x4.splat(0);
    let c = f32x4.splat(0);
    let d = f32x4.splat(0);
    for (let i: usize = 0; i < VECTOR_BYTES; i += 16) {
      const x = v128.load(from + i);
      a = addProduct(a, x, v128.load(matrix + i));
      b = addProduct(b, x, v128.load(matrix + i, VECTOR_BYTES));
      c = addProduct(c, x, v128.load(matrix + i, 2 * VECTOR_BYTES));
      d = addProduct(d, x, v128.load(matrix + i, 3 * VECTOR_BYTES));
    }
    // The sums of four vectors as the lanes of one.
    const ab = f32x4.add(v128.shuffle<i32>(a, b, 0, 1, 4, 5), v128.shuffle<i32>(a, b, 2, 3, 6, 7));
    const cd = f32x4.add(v128.shuffle<i32>(c, d, 0, 1, 4, 5), v128.shuffle<i32>(c, d, 2, 3, 6, 7));
    const even = v128.shuffle<i32>(ab, cd, 0, 2, 4, 6);
    const odd = v128.shuffle<i32>(ab, cd, 1, 3, 5, 7);
    v128.store(to, f32x4.add(even, odd));
    matrix += 4 * VECTOR_BYTES;
  }
}

/** sum + a × b; the relaxed build may round once instead of twice. */
// @ts-ignore: decorator
@inline
export function addProduct(sum: v128, a: v128, b: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f32x4.relaxed_madd(a, b, sum) : f32x4.add(sum, f32x4.mul(a, b));
}

/** Sum of the products of two rows of 128 f32, in double. */
export function dot(a: usize, b: usize): f64 {
  let even = f64x2.splat(0);
  let odd = f64x2.splat(0);
  for (let i: usize = 0; i < VECTOR_BYTES; i += 16) {
    even = f64x2.add(even, f64x2.mul(doubles(a + i), doubles(b + i)));
    odd = f64x2.add(odd, f64x2.mul(doubles(a + i + 8), doubles(b + i + 8)));
  }
  const sum = f64x2.add(even, odd);
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/** The lowest byte of each lane. */
// @ts-ignore: decorator
@inline
export function bytes(lanes: v128): u32 {
  return <u32>(
    i32x4.extract_lane(v128.shuffle<i8>(lanes, lanes, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12), 0)
  );
}

/** The sum of four lanes. */
// @ts-ignore: decorator
@inline
export function total(lanes: v128): f64 {
  return (
    <f64>f32x4.extract_lane(lanes, 0) +
    <f64>f32x4.extract_lane(lanes, 1) +
    <f64>f32x4.extract_lane(lanes, 2) +
    <f64>f32x4.extract_lane(lanes, 3)
  );
}

/** Two f32 as f64. */
// @ts-ignore: decorator
@inline
function doubles(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at));
}
