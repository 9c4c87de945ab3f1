/**
 * The inner loops. A vector of codes holds 16 coordinates of 4 templates: each 32-bit lane is one template, each byte
 * four fields of two bits, so sums over coordinates stay in their lanes. `coarse1..3` list the slots whose coarse bound
 * passes the floor of 1 to 3 probes, for each of them; `fineSum` is what the fine code of one adds; `exact4` gives what
 * the reference gives. There are two builds from this file, with and without relaxed SIMD: the first multiplies bytes
 * and sums in 16 bits, the second multiplies in 16 bits and sums in 32, and both get the same integers.
 * It knows nothing of users, free slots or decisions. Held by test/matcher/oracle.test.ts and bound.test.ts.
 */
import {
  COARSE_BYTES,
  COARSE_TERMS,
  DIMENSIONS,
  ENTRY_BYTES,
  ENTRY_SCORE,
  ENTRY_SLOT,
  ENTRY_TERMS,
  ENTRY_WORD,
  FINE_BYTES,
} from './layout';
import { FACTORS, FLOOR, MASK, SCORES, SHIFT, UPPER_MASK } from './probe';

// The relaxed instruction wants its second operand in 0..127, so fields 0 and 1 are taken where they are (field 1 four
// times as large), and fields 2 and 3 after one shift. `even` sums fields 0 and 2, `odd` four times fields 1 and 3.

// @ts-ignore: decorator
@inline
function even(codes: v128, table: usize, sum: v128, mask: v128): v128 {
  const shifted = i32x4.shr_u(codes, 4);
  sum = i16x8.add(sum, i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(table), v128.and(codes, mask)));
  return i16x8.add(sum, i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(table, 32), v128.and(shifted, mask)));
}
// @ts-ignore: decorator
@inline
function odd(codes: v128, table: usize, sum: v128, mask: v128): v128 {
  const shifted = i32x4.shr_u(codes, 4);
  sum = i16x8.add(sum, i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(table, 16), v128.and(codes, mask)));
  return i16x8.add(sum, i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(table, 48), v128.and(shifted, mask)));
}

/** Sums of 4 templates from both: neither sum has left 16 bits, see README.md. */
// @ts-ignore: decorator
@inline
function total(ones: v128, fours: v128): v128 {
  const one = i16x8.splat(1);
  return i32x4.add(i32x4.dot_i16x8_s(ones, one), i32x4.shr_s(i32x4.dot_i16x8_s(fours, one), 2));
}

/** Without relaxed SIMD: all eight fields of the 16-bit lanes in turn. */
// @ts-ignore: decorator
@inline
function plain(codes: v128, table: usize, sum: v128, mask: v128): v128 {
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.and(codes, mask), v128.load(table)));
  codes = i16x8.shr_u(codes, 2);
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.and(codes, mask), v128.load(table, 16)));
  codes = i16x8.shr_u(codes, 2);
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.and(codes, mask), v128.load(table, 32)));
  codes = i16x8.shr_u(codes, 2);
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.and(codes, mask), v128.load(table, 48)));
  codes = i16x8.shr_u(codes, 2);
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.and(codes, mask), v128.load(table, 64)));
  codes = i16x8.shr_u(codes, 2);
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.and(codes, mask), v128.load(table, 80)));
  codes = i16x8.shr_u(codes, 2);
  sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.and(codes, mask), v128.load(table, 96)));
  codes = i16x8.shr_u(codes, 2);
  return i32x4.add(sum, i32x4.dot_i16x8_s(codes, v128.load(table, 112)));
}

/** Bytes of a table that belong to one vector of codes. */
const STRIDE: usize = ASC_FEATURE_RELAXED_SIMD ? 64 : 128;

/** What is compared with the floor, of 4 templates, from the sums of their fields. */
// @ts-ignore: decorator
@inline
function scored(sum: v128, group: usize, factors: v128, shift: i32): v128 {
  return i32x4.add(i32x4.shl(sum, shift), i32x4.dot_i16x8_s(v128.load(group, COARSE_TERMS), factors));
}

/** Adds entries for the templates of a group that pass. */
function list(passed: v128, scores: v128, group: usize, slot: u32, terms: usize, out: usize): usize {
  v128.store(terms, scores, SCORES);
  for (let bits = i32x4.bitmask(passed); bits != 0; bits &= bits - 1) {
    const lane = <usize>ctz(bits);
    store<u32>(out, slot + <u32>lane, ENTRY_SLOT);
    store<i32>(out, load<i32>(terms + lane * 4, SCORES), ENTRY_SCORE);
    store<u32>(out, load<u32>(group + lane * 4, COARSE_TERMS), ENTRY_WORD);
    store<u32>(out, <u32>terms, ENTRY_TERMS);
    out += ENTRY_BYTES;
  }
  return out;
}

/** Adds entries for one probe, if any. */
// @ts-ignore: decorator
@inline
function pass(sum: v128, group: usize, slot: u32, terms: usize, out: usize): usize {
  const scores = scored(sum, group, v128.load32_splat(terms, FACTORS), load<i32>(terms, SHIFT));
  const passed = i32x4.gt_s(scores, v128.load32_splat(terms, FLOOR));
  return v128.any_true(passed) ? list(passed, scores, group, slot, terms, out) : out;
}

/** Two groups at a time, so that the table is read once for both. */
export function coarse1(group: usize, slot: u32, groups: u32, table: usize, terms: usize, out: usize): usize {
  const factors = v128.load32_splat(terms, FACTORS);
  const floor = v128.load32_splat(terms, FLOOR);
  const shift = load<i32>(terms, SHIFT);
  const mask = v128.load(terms, MASK);
  const upper = v128.load(terms, UPPER_MASK);
  for (const last = slot + groups * 4; slot < last; slot += 8) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    if (ASC_FEATURE_RELAXED_SIMD) {
      let aOdd = i32x4.splat(0);
      let bOdd = i32x4.splat(0);
      let at = table;
      for (const end = group + COARSE_TERMS; group < end; group += 16, at += STRIDE) {
        const x = v128.load(group);
        const y = v128.load(group, COARSE_BYTES);
        a = even(x, at, a, mask);
        b = even(y, at, b, mask);
        aOdd = odd(x, at, aOdd, upper);
        bOdd = odd(y, at, bOdd, upper);
      }
      a = total(a, aOdd);
      b = total(b, bOdd);
    } else {
      let at = table;
      for (const end = group + COARSE_TERMS; group < end; group += 16, at += STRIDE) {
        a = plain(v128.load(group), at, a, mask);
        b = plain(v128.load(group, COARSE_BYTES), at, b, mask);
      }
    }
    group -= COARSE_TERMS;
    const x = scored(a, group, factors, shift);
    const y = scored(b, group + COARSE_BYTES, factors, shift);
    const first = i32x4.gt_s(x, floor);
    const second = i32x4.gt_s(y, floor);
    if (v128.any_true(v128.or(first, second))) {
      out = list(first, x, group, slot, terms, out);
      out = list(second, y, group + COARSE_BYTES, slot + 4, terms, out);
    }
    group += 2 * COARSE_BYTES;
  }
  return out;
}

/** Two probes, of one search or of two. */
export function coarse2(
  group: usize,
  slot: u32,
  groups: u32,
  table: usize,
  terms: usize,
  table2: usize,
  terms2: usize,
  out: usize,
): usize {
  const mask = v128.load(terms, MASK);
  const upper = v128.load(terms, UPPER_MASK);
  for (const last = slot + groups * 4; slot < last; slot += 4) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let at = table;
    let at2 = table2;
    const end = group + COARSE_TERMS;
    if (ASC_FEATURE_RELAXED_SIMD) {
      let aOdd = i32x4.splat(0);
      let bOdd = i32x4.splat(0);
      for (let from = group; from < end; from += 16, at += STRIDE, at2 += STRIDE) {
        const x = v128.load(from);
        a = even(x, at, a, mask);
        aOdd = odd(x, at, aOdd, upper);
        b = even(x, at2, b, mask);
        bOdd = odd(x, at2, bOdd, upper);
      }
      a = total(a, aOdd);
      b = total(b, bOdd);
    } else {
      for (let from = group; from < end; from += 16, at += STRIDE, at2 += STRIDE) {
        const x = v128.load(from);
        a = plain(x, at, a, mask);
        b = plain(x, at2, b, mask);
      }
    }
    out = pass(a, group, slot, terms, out);
    out = pass(b, group, slot, terms2, out);
    group += COARSE_BYTES;
  }
  return out;
}

/** Three probes. */
export function coarse3(
  group: usize,
  slot: u32,
  groups: u32,
  table: usize,
  terms: usize,
  table2: usize,
  terms2: usize,
  table3: usize,
  terms3: usize,
  out: usize,
): usize {
  const mask = v128.load(terms, MASK);
  const upper = v128.load(terms, UPPER_MASK);
  for (const last = slot + groups * 4; slot < last; slot += 4) {
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let c = i32x4.splat(0);
    let at = table;
    let at2 = table2;
    let at3 = table3;
    const end = group + COARSE_TERMS;
    if (ASC_FEATURE_RELAXED_SIMD) {
      let aOdd = i32x4.splat(0);
      let bOdd = i32x4.splat(0);
      let cOdd = i32x4.splat(0);
      for (let from = group; from < end; from += 16, at += STRIDE, at2 += STRIDE, at3 += STRIDE) {
        const x = v128.load(from);
        a = even(x, at, a, mask);
        aOdd = odd(x, at, aOdd, upper);
        b = even(x, at2, b, mask);
        bOdd = odd(x, at2, bOdd, upper);
        c = even(x, at3, c, mask);
        cOdd = odd(x, at3, cOdd, upper);
      }
      a = total(a, aOdd);
      b = total(b, bOdd);
      c = total(c, cOdd);
    } else {
      for (let from = group; from < end; from += 16, at += STRIDE, at2 += STRIDE, at3 += STRIDE) {
        const x = v128.load(from);
        a = plain(x, at, a, mask);
        b = plain(x, at2, b, mask);
        c = plain(x, at3, c, mask);
      }
    }
    out = pass(a, group, slot, terms, out);
    out = pass(b, group, slot, terms2, out);
    out = pass(c, group, slot, terms3, out);
    group += COARSE_BYTES;
  }
  return out;
}

/** Sum of the products of one template's fine code with a probe's coordinates. */
export function fineSum(code: usize, table: usize): i32 {
  let sum = i16x8.splat(0);
  for (const end = code + FINE_BYTES; code < end; code += 16) {
    let fields = v128.load(code);
    for (const row = table + 64; table < row; table += 16) {
      const digits = v128.and(fields, i8x16.splat(3));
      const factors = v128.load(table);
      if (ASC_FEATURE_RELAXED_SIMD) {
        sum = i16x8.add(sum, i16x8.relaxed_dot_i8x16_i7x16_s(factors, digits));
      } else {
        sum = i16x8.add(sum, i16x8.extmul_low_i8x16_s(factors, digits));
        sum = i16x8.add(sum, i16x8.extmul_high_i8x16_s(factors, digits));
      }
      fields = i16x8.shr_u(fields, 2);
    }
  }
  const pairs = i32x4.extadd_pairwise_i16x8_s(sum);
  const halves = i64x2.add(pairs, i64x2.shr_u(pairs, 32));
  return <i32>i64x2.extract_lane(halves, 0) + <i32>i64x2.extract_lane(halves, 1);
}

/** Exact distances of one probe to 4 templates, written as f64 to `out` where they are smaller than what is there. */
export function exact4(a: usize, b: usize, c: usize, d: usize, probe: usize, out: usize): void {
  let sumA: f64 = 0;
  let sumB: f64 = 0;
  let sumC: f64 = 0;
  let sumD: f64 = 0;
  for (let i: usize = 0; i < DIMENSIONS * 4; i += 4) {
    const p = <f64>load<f32>(probe + i);
    sumA += p * <f64>load<f32>(a + i);
    sumB += p * <f64>load<f32>(b + i);
    sumC += p * <f64>load<f32>(c + i);
    sumD += p * <f64>load<f32>(d + i);
  }
  store<f64>(out, min(load<f64>(out), 1 - sumA));
  store<f64>(out, min(load<f64>(out, 8), 1 - sumB), 8);
  store<f64>(out, min(load<f64>(out, 16), 1 - sumC), 16);
  store<f64>(out, min(load<f64>(out, 24), 1 - sumD), 24);
}
