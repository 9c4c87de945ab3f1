/**
 * The inner loops of the scan. Each byte of a vector of coarse codes belongs to one of 16 templates, and half a byte says where in a
 * table of a probe to look up what two coordinates take off the template's score. `coarse1..3` list the slots whose
 * score passes the floor of 1 to 3 probes, for each of them. There are two builds from this file, with and without
 * relaxed SIMD, and both get the same integers.
 * It knows nothing of users, free slots or decisions. Held by test/matcher/oracle.test.ts and bound.test.ts.
 */
import {
  blockOf,
  COARSE_BYTES,
  COARSE_TERMS,
  ENTRY_BYTES,
  ENTRY_FINE,
  ENTRY_SCORE,
  ENTRY_SLOT,
  ENTRY_TERMS,
  ENTRY_WORD,
  FINE_BYTES,
  fineAddress,
  GROUP_SLOTS,
  indexOf,
} from './layout';
import { FACTORS, FLOOR, MASK, SCORES, SHIFT, TABLES } from './probe';

/** Where each of 16 bytes says which byte of the table is meant. Indices are 0..15, so both builds agree. */
// @ts-ignore: decorator
@inline
function lookUp(table: v128, indices: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? i8x16.relaxed_swizzle(table, indices) : i8x16.swizzle(table, indices);
}

/** What the coordinates in a byte of codes take off the scores of 16 templates, or 255 if that is more. */
// @ts-ignore: decorator
@inline
function byteOfEach(low: v128, high: v128, codes: v128, mask: v128): v128 {
  return i8x16.add_sat_u(
    lookUp(low, v128.and(codes, mask)),
    lookUp(high, v128.and(i16x8.shr_u(codes, 4), mask)),
  );
}

/** The same of two bytes whose half bytes are told apart already. */
// @ts-ignore: decorator
@inline
function twoBytes(tables: usize, low: v128, high: v128, low2: v128, high2: v128): v128 {
  const first = i8x16.add_sat_u(lookUp(v128.load(tables), low), lookUp(v128.load(tables, 16), high));
  const second = i8x16.add_sat_u(lookUp(v128.load(tables, 32), low2), lookUp(v128.load(tables, 48), high2));
  return i8x16.add_sat_u(first, second);
}

/** A row has one byte of each template of a group, in two vectors. */
const ROW: usize = <usize>GROUP_SLOTS;
/** Templates of a vector, and the bytes of their words. */
const VECTOR_SLOTS: u32 = 16;
const VECTOR_WORDS: usize = 64;
/** Bytes of codes and of tables that one step of a kernel reads. */
const CODES_STEP: usize = 4 * ROW;
const TABLES_STEP: usize = 128;

/** What is compared with the floor, of 4 templates whose words lie at `words`, from what is taken off. */
// @ts-ignore: decorator
@inline
function scored(sum: v128, words: usize, factors: v128, shift: i32): v128 {
  return i32x4.sub(i32x4.dot_i16x8_s(v128.load(words), factors), i32x4.shl(sum, shift));
}

/**
 * Adds entries for those of 16 templates that pass the floor of a probe; `sums` has odd bytes twice, see `coarse1`, and
 * both are halves of what is taken off.
 */
// @ts-ignore: decorator
@inline
function pass(sums: v128, odd: v128, words: usize, slot: u32, terms: usize, out: usize): usize {
  const factors = v128.load32_splat(terms, FACTORS);
  const shift = load<i32>(terms, SHIFT) + 1;
  const floor = v128.load32_splat(terms, FLOOR);
  const even = i16x8.sub(sums, i16x8.shl(odd, 8));
  const a = scored(i32x4.extend_low_i16x8_u(even), words, factors, shift);
  const b = scored(i32x4.extend_high_i16x8_u(even), words + 16, factors, shift);
  const c = scored(i32x4.extend_low_i16x8_u(odd), words + 32, factors, shift);
  const d = scored(i32x4.extend_high_i16x8_u(odd), words + 48, factors, shift);
  const passed = i8x16.narrow_i16x8_s(
    i16x8.narrow_i32x4_s(i32x4.gt_s(a, floor), i32x4.gt_s(b, floor)),
    i16x8.narrow_i32x4_s(i32x4.gt_s(c, floor), i32x4.gt_s(d, floor)),
  );
  if (!v128.any_true(passed)) return out;
  v128.store(terms, a, SCORES);
  v128.store(terms, b, SCORES + 16);
  v128.store(terms, c, SCORES + 32);
  v128.store(terms, d, SCORES + 48);
  return list(i8x16.bitmask(passed), words, slot, terms, out);
}

/** An entry for each of 16 slots that has its bit set. */
function list(bits: i32, words: usize, slot: u32, terms: usize, out: usize): usize {
  const fine = <u32>fineAddress(blockOf(slot), indexOf(slot));
  for (; bits != 0; bits &= bits - 1) {
    const index = <usize>ctz(bits);
    store<u32>(out, slot + <u32>index, ENTRY_SLOT);
    store<i32>(out, load<i32>(terms + index * 4, SCORES), ENTRY_SCORE);
    store<u32>(out, load<u32>(words + index * 4), ENTRY_WORD);
    store<u32>(out, <u32>terms, ENTRY_TERMS);
    store<u32>(out, fine + <u32>index * <u32>FINE_BYTES, ENTRY_FINE);
    out += ENTRY_BYTES;
  }
  return out;
}

/**
 * One probe. Sums of 8 bits, two at a time, are made one by their mean, which is rounded up: 255 stays enough. They are
 * widened by adding them as they lie, odd bytes 256 times as large, and odd bytes once more by themselves, which are
 * taken off in the end. Both halves of a group share the loads of tables.
 */
export function coarse1(group: usize, slot: u32, groups: u32, terms: usize, out: usize): usize {
  const mask = v128.load(terms, MASK);
  for (const last = slot + groups * GROUP_SLOTS; slot < last; slot += GROUP_SLOTS) {
    let sums = i16x8.splat(0);
    let odd = i16x8.splat(0);
    let sums2 = i16x8.splat(0);
    let odd2 = i16x8.splat(0);
    let at = terms + TABLES;
    const words = group + COARSE_TERMS;
    for (let from = group; from < words; from += CODES_STEP, at += TABLES_STEP) {
      let low = v128.load(at);
      let high = v128.load(at, 16);
      const a = byteOfEach(low, high, v128.load(from), mask);
      const a2 = byteOfEach(low, high, v128.load(from, 16), mask);
      low = v128.load(at, 32);
      high = v128.load(at, 48);
      const ab = i8x16.add_sat_u(a, byteOfEach(low, high, v128.load(from, ROW), mask));
      const ab2 = i8x16.add_sat_u(a2, byteOfEach(low, high, v128.load(from, ROW + 16), mask));
      low = v128.load(at, 64);
      high = v128.load(at, 80);
      const c = byteOfEach(low, high, v128.load(from, 2 * ROW), mask);
      const c2 = byteOfEach(low, high, v128.load(from, 2 * ROW + 16), mask);
      low = v128.load(at, 96);
      high = v128.load(at, 112);
      const cd = i8x16.add_sat_u(c, byteOfEach(low, high, v128.load(from, 3 * ROW), mask));
      const cd2 = i8x16.add_sat_u(c2, byteOfEach(low, high, v128.load(from, 3 * ROW + 16), mask));
      const mean = i8x16.avgr_u(ab, cd);
      sums = i16x8.add(sums, mean);
      odd = i16x8.add(odd, i16x8.shr_u(mean, 8));
      const mean2 = i8x16.avgr_u(ab2, cd2);
      sums2 = i16x8.add(sums2, mean2);
      odd2 = i16x8.add(odd2, i16x8.shr_u(mean2, 8));
    }
    out = pass(sums, odd, words, slot, terms, out);
    out = pass(sums2, odd2, words + VECTOR_WORDS, slot + VECTOR_SLOTS, terms, out);
    group += COARSE_BYTES;
  }
  return out;
}

/** Two probes, of one search or of two, and one half of a group after the other. */
export function coarse2(
  group: usize,
  slot: u32,
  groups: u32,
  terms: usize,
  terms2: usize,
  out: usize,
): usize {
  const mask = v128.load(terms, MASK);
  for (const last = slot + groups * GROUP_SLOTS; slot < last; slot += VECTOR_SLOTS) {
    let sums = i16x8.splat(0);
    let odd = i16x8.splat(0);
    let sums2 = i16x8.splat(0);
    let odd2 = i16x8.splat(0);
    let at = TABLES;
    const end = group + COARSE_TERMS;
    for (let from = group; from < end; from += CODES_STEP, at += TABLES_STEP) {
      let x = v128.load(from);
      let y = v128.load(from, ROW);
      let a = v128.and(x, mask);
      let b = v128.and(i16x8.shr_u(x, 4), mask);
      let c = v128.and(y, mask);
      let d = v128.and(i16x8.shr_u(y, 4), mask);
      const sum = twoBytes(terms + at, a, b, c, d);
      const sum2 = twoBytes(terms2 + at, a, b, c, d);
      x = v128.load(from, 2 * ROW);
      y = v128.load(from, 3 * ROW);
      a = v128.and(x, mask);
      b = v128.and(i16x8.shr_u(x, 4), mask);
      c = v128.and(y, mask);
      d = v128.and(i16x8.shr_u(y, 4), mask);
      const mean = i8x16.avgr_u(sum, twoBytes(terms + at + 64, a, b, c, d));
      sums = i16x8.add(sums, mean);
      odd = i16x8.add(odd, i16x8.shr_u(mean, 8));
      const mean2 = i8x16.avgr_u(sum2, twoBytes(terms2 + at + 64, a, b, c, d));
      sums2 = i16x8.add(sums2, mean2);
      odd2 = i16x8.add(odd2, i16x8.shr_u(mean2, 8));
    }
    // The second half begins 16 bytes behind the first, and its words 64.
    const second = <usize>(slot & VECTOR_SLOTS);
    const words = end + 3 * second;
    out = pass(sums, odd, words, slot, terms, out);
    out = pass(sums2, odd2, words, slot, terms2, out);
    group += second == 0 ? 16 : COARSE_BYTES - 16;
  }
  return out;
}

/** Three probes. */
export function coarse3(
  group: usize,
  slot: u32,
  groups: u32,
  terms: usize,
  terms2: usize,
  terms3: usize,
  out: usize,
): usize {
  const mask = v128.load(terms, MASK);
  for (const last = slot + groups * GROUP_SLOTS; slot < last; slot += VECTOR_SLOTS) {
    let sums = i16x8.splat(0);
    let odd = i16x8.splat(0);
    let sums2 = i16x8.splat(0);
    let odd2 = i16x8.splat(0);
    let sums3 = i16x8.splat(0);
    let odd3 = i16x8.splat(0);
    let at = TABLES;
    const end = group + COARSE_TERMS;
    for (let from = group; from < end; from += CODES_STEP, at += TABLES_STEP) {
      let x = v128.load(from);
      let y = v128.load(from, ROW);
      let a = v128.and(x, mask);
      let b = v128.and(i16x8.shr_u(x, 4), mask);
      let c = v128.and(y, mask);
      let d = v128.and(i16x8.shr_u(y, 4), mask);
      const sum = twoBytes(terms + at, a, b, c, d);
      const sum2 = twoBytes(terms2 + at, a, b, c, d);
      const sum3 = twoBytes(terms3 + at, a, b, c, d);
      x = v128.load(from, 2 * ROW);
      y = v128.load(from, 3 * ROW);
      a = v128.and(x, mask);
      b = v128.and(i16x8.shr_u(x, 4), mask);
      c = v128.and(y, mask);
      d = v128.and(i16x8.shr_u(y, 4), mask);
      const mean = i8x16.avgr_u(sum, twoBytes(terms + at + 64, a, b, c, d));
      sums = i16x8.add(sums, mean);
      odd = i16x8.add(odd, i16x8.shr_u(mean, 8));
      const mean2 = i8x16.avgr_u(sum2, twoBytes(terms2 + at + 64, a, b, c, d));
      sums2 = i16x8.add(sums2, mean2);
      odd2 = i16x8.add(odd2, i16x8.shr_u(mean2, 8));
      const mean3 = i8x16.avgr_u(sum3, twoBytes(terms3 + at + 64, a, b, c, d));
      sums3 = i16x8.add(sums3, mean3);
      odd3 = i16x8.add(odd3, i16x8.shr_u(mean3, 8));
    }
    // The second half begins 16 bytes behind the first, and its words 64.
    const second = <usize>(slot & VECTOR_SLOTS);
    const words = end + 3 * second;
    out = pass(sums, odd, words, slot, terms, out);
    out = pass(sums2, odd2, words, slot, terms2, out);
    out = pass(sums3, odd3, words, slot, terms3, out);
    group += second == 0 ? 16 : COARSE_BYTES - 16;
  }
  return out;
}
