/**
 * The inner loops of the scan. Each byte of a vector of coarse codes belongs to one of 16 templates. Half a byte is the
 * index into a table of the probe: how much its two coordinates lower the template's score. `coarse1`, `coarse2` and
 * `coarse3` list, for 1 to 3 probes, the slots whose score passes the probe's floor. Both builds, with and without
 * relaxed SIMD, give the same integers. Users, free slots and decisions are not known here. Held by
 * test/matcher/oracle.test.ts and bound.long.test.ts.
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
import { FACTORS, FLOOR, MASK, SCORES, TABLES } from './probe';

/** Looks up 16 bytes in a table. All indices are 0..15, so both builds agree. */
// @ts-ignore: decorator
@inline
function lookUp(table: v128, indices: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? i8x16.relaxed_swizzle(table, indices) : i8x16.swizzle(table, indices);
}

/** How much the coordinates in a byte of codes lower the scores of 16 templates; 255 if it is more. */
// @ts-ignore: decorator
@inline
function byteOfEach(low: v128, high: v128, codes: v128, mask: v128): v128 {
  return i8x16.add_sat_u(
    lookUp(low, v128.and(codes, mask)),
    lookUp(high, v128.and(i16x8.shr_u(codes, 4), mask)),
  );
}

/** The same for two bytes whose half bytes are already separated. */
// @ts-ignore: decorator
@inline
function twoBytes(tables: usize, low: v128, high: v128, low2: v128, high2: v128): v128 {
  const first = i8x16.add_sat_u(lookUp(v128.load(tables), low), lookUp(v128.load(tables, 16), high));
  const second = i8x16.add_sat_u(lookUp(v128.load(tables, 32), low2), lookUp(v128.load(tables, 48), high2));
  return i8x16.add_sat_u(first, second);
}

/** Bytes of a row: one for each template of a group, in two vectors. */
const ROW: usize = <usize>GROUP_SLOTS;
/** Templates in a vector, and the bytes of their words. */
const VECTOR_SLOTS: u32 = 16;
const VECTOR_WORDS: usize = 64;
/** Bytes of tables for two rows. */
const TABLES_STEP: usize = 64;

/**
 * Scores of 4 templates, to be compared with the floor. `lost` is already shifted by 16 bits; `words` is an address.
 */
// @ts-ignore: decorator
@inline
function scored(lost: v128, words: usize, factors: v128): v128 {
  return i32x4.sub(i32x4.dot_i16x8_s(v128.load(words), factors), lost);
}

/** 16-bit lanes 0 to 3, shifted left by 16 bits; and lanes 4 to 7. */
// @ts-ignore: decorator
@inline
function lowRaised(x: v128): v128 {
  return v128.shuffle<i8>(i16x8.splat(0), x, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
}
// @ts-ignore: decorator
@inline
function highRaised(x: v128): v128 {
  return v128.shuffle<i8>(i16x8.splat(0), x, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
}

/**
 * Adds entries for those of 16 templates that pass the floor of a probe. `sums` includes odd bytes too, see `coarse1`.
 */
// @ts-ignore: decorator
@inline
function pass(sums: v128, odd: v128, words: usize, slot: u32, terms: usize, out: usize): usize {
  const factors = v128.load32_splat(terms, FACTORS);
  const floor = v128.load32_splat(terms, FLOOR);
  const even = i16x8.sub(sums, i16x8.shl(odd, 8));
  const a = scored(lowRaised(even), words, factors);
  const b = scored(highRaised(even), words + 16, factors);
  const c = scored(lowRaised(odd), words + 32, factors);
  const d = scored(highRaised(odd), words + 48, factors);
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

/** Adds an entry for each of 16 slots whose bit is set. */
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
 * One probe. Sums of 8 bits are added as 16-bit lanes, where odd bytes count 256 times, and odd bytes are summed once
 * more on their own, to be subtracted at the end. Both halves of a group share the loaded tables.
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
    for (let from = group; from < words; from += 2 * ROW, at += TABLES_STEP) {
      let low = v128.load(at);
      let high = v128.load(at, 16);
      let sum = byteOfEach(low, high, v128.load(from), mask);
      let sum2 = byteOfEach(low, high, v128.load(from, 16), mask);
      low = v128.load(at, 32);
      high = v128.load(at, 48);
      sum = i8x16.add_sat_u(sum, byteOfEach(low, high, v128.load(from, ROW), mask));
      sum2 = i8x16.add_sat_u(sum2, byteOfEach(low, high, v128.load(from, ROW + 16), mask));
      sums = i16x8.add(sums, sum);
      odd = i16x8.add(odd, i16x8.shr_u(sum, 8));
      sums2 = i16x8.add(sums2, sum2);
      odd2 = i16x8.add(odd2, i16x8.shr_u(sum2, 8));
    }
    out = pass(sums, odd, words, slot, terms, out);
    out = pass(sums2, odd2, words + VECTOR_WORDS, slot + VECTOR_SLOTS, terms, out);
    group += COARSE_BYTES;
  }
  return out;
}

/** Two probes, of one search or of two. The two halves of a group come one after the other. */
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
    for (let from = group; from < end; from += 2 * ROW, at += TABLES_STEP) {
      const x = v128.load(from);
      const y = v128.load(from, ROW);
      const a = v128.and(x, mask);
      const b = v128.and(i16x8.shr_u(x, 4), mask);
      const c = v128.and(y, mask);
      const d = v128.and(i16x8.shr_u(y, 4), mask);
      const sum = twoBytes(terms + at, a, b, c, d);
      sums = i16x8.add(sums, sum);
      odd = i16x8.add(odd, i16x8.shr_u(sum, 8));
      const sum2 = twoBytes(terms2 + at, a, b, c, d);
      sums2 = i16x8.add(sums2, sum2);
      odd2 = i16x8.add(odd2, i16x8.shr_u(sum2, 8));
    }
    // The second half starts 16 bytes after the first, its words 64 bytes after those of the first.
    const second = <usize>(slot & VECTOR_SLOTS);
    const words = end + 3 * second;
    out = pass(sums, odd, words, slot, terms, out);
    out = pass(sums2, odd2, words, slot, terms2, out);
    group += second == 0 ? 16 : COARSE_BYTES - 16;
  }
  return out;
}

/** Three probes, in the same way. */
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
    for (let from = group; from < end; from += 2 * ROW, at += TABLES_STEP) {
      const x = v128.load(from);
      const y = v128.load(from, ROW);
      const a = v128.and(x, mask);
      const b = v128.and(i16x8.shr_u(x, 4), mask);
      const c = v128.and(y, mask);
      const d = v128.and(i16x8.shr_u(y, 4), mask);
      const sum = twoBytes(terms + at, a, b, c, d);
      sums = i16x8.add(sums, sum);
      odd = i16x8.add(odd, i16x8.shr_u(sum, 8));
      const sum2 = twoBytes(terms2 + at, a, b, c, d);
      sums2 = i16x8.add(sums2, sum2);
      odd2 = i16x8.add(odd2, i16x8.shr_u(sum2, 8));
      const sum3 = twoBytes(terms3 + at, a, b, c, d);
      sums3 = i16x8.add(sums3, sum3);
      odd3 = i16x8.add(odd3, i16x8.shr_u(sum3, 8));
    }
    // The second half starts 16 bytes after the first, its words 64 bytes after those of the first.
    const second = <usize>(slot & VECTOR_SLOTS);
    const words = end + 3 * second;
    out = pass(sums, odd, words, slot, terms, out);
    out = pass(sums2, odd2, words, slot, terms2, out);
    out = pass(sums3, odd3, words, slot, terms3, out);
    group += second == 0 ? 16 : COARSE_BYTES - 16;
  }
  return out;
}
