/**
 * The inner loops of the scan. Each byte of a vector of coarse codes belongs to one of 16 templates. Half a byte is the
 * index into a table of the probe: how much its coordinates lower the template's score. `coarse1`, `coarse2` and
 * `coarse3` list, for 1 to 3 probes, the slots whose score passes the probe's floor. Both builds, with and without
 * relaxed SIMD, give the same integers. Users, free slots and decisions are not known here. Held by
 * test/matcher/oracle.test.ts and bound.long.test.ts.
 */
import { blockOf, Entry, ENTRY_BYTES, FINE_BYTES, fineAddress, GROUP_SLOTS, indexOf } from './layout';
import { ROW_BYTES, WORDS_BYTES } from './layout';
import { FACTORS, FLOOR, MASK, ROWS_END, SCORES, TABLES } from './probe';

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

/** Templates in a vector, and the bytes of their words. */
const VECTOR_SLOTS: u32 = 16;
const VECTOR_WORDS: usize = 64;
/** Bytes of tables for two rows. */
const TABLES_STEP: usize = 64;

/** Scores of 4 templates, to be compared with the floor. `words` is an address. */
// @ts-ignore: decorator
@inline
function scored(lost: v128, words: usize, factors: v128): v128 {
  return i32x4.sub(i32x4.dot_i16x8_s(v128.load(words), factors), i32x4.shl(lost, 16));
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
  const a = scored(i32x4.extend_low_i16x8_u(even), words, factors);
  const b = scored(i32x4.extend_high_i16x8_u(even), words + 16, factors);
  const c = scored(i32x4.extend_low_i16x8_u(odd), words + 32, factors);
  const d = scored(i32x4.extend_high_i16x8_u(odd), words + 48, factors);
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
    const entry = changetype<Entry>(out);
    entry.slot = slot + <u32>index;
    entry.score = load<i32>(terms + index * 4, SCORES);
    entry.word = load<u32>(words + index * 4);
    entry.terms = <u32>terms;
    entry.fine = fine + <u32>index * <u32>FINE_BYTES;
    out += ENTRY_BYTES;
  }
  return out;
}

/** The sum of four tables: of the half bytes in two rows. */
// @ts-ignore: decorator
@inline
function twoRows(a: v128, b: v128, c: v128, d: v128, from: usize, mask: v128): v128 {
  return i8x16.add_sat_u(
    byteOfEach(a, b, v128.load(from), mask),
    byteOfEach(c, d, v128.load(from, ROW_BYTES), mask),
  );
}

/**
 * One probe. Sums of 8 bits are added as 16-bit lanes, where odd bytes count 256 times, and odd bytes are summed once
 * more on their own, to be subtracted at the end. Both halves of a group share the loaded tables. Four rows a turn:
 * fewer take 4 % longer, and a loop without turns does not fit the registers.
 */
export function coarse1(group: usize, slot: u32, groups: u32, held: usize, out: usize): usize {
  const terms = <usize>load<u32>(held);
  const mask = v128.load(terms, MASK);
  const rows = <usize>load<u32>(terms, ROWS_END);
  for (const last = slot + groups * GROUP_SLOTS; slot < last; slot += GROUP_SLOTS) {
    let sums = i16x8.splat(0);
    let odd = i16x8.splat(0);
    let sums2 = i16x8.splat(0);
    let odd2 = i16x8.splat(0);
    let at = terms + TABLES;
    const words = group + rows;
    for (let from = group; from < words; from += 4 * ROW_BYTES, at += 2 * TABLES_STEP) {
      let a = v128.load(at);
      let b = v128.load(at, 16);
      let c = v128.load(at, 32);
      let d = v128.load(at, 48);
      let sum = twoRows(a, b, c, d, from, mask);
      let sum2 = twoRows(a, b, c, d, from + 16, mask);
      sums = i16x8.add(sums, sum);
      odd = i16x8.add(odd, i16x8.shr_u(sum, 8));
      sums2 = i16x8.add(sums2, sum2);
      odd2 = i16x8.add(odd2, i16x8.shr_u(sum2, 8));
      a = v128.load(at, TABLES_STEP);
      b = v128.load(at, TABLES_STEP + 16);
      c = v128.load(at, TABLES_STEP + 32);
      d = v128.load(at, TABLES_STEP + 48);
      sum = twoRows(a, b, c, d, from + 2 * ROW_BYTES, mask);
      sum2 = twoRows(a, b, c, d, from + 2 * ROW_BYTES + 16, mask);
      sums = i16x8.add(sums, sum);
      odd = i16x8.add(odd, i16x8.shr_u(sum, 8));
      sums2 = i16x8.add(sums2, sum2);
      odd2 = i16x8.add(odd2, i16x8.shr_u(sum2, 8));
    }
    out = pass(sums, odd, words, slot, terms, out);
    out = pass(sums2, odd2, words + VECTOR_WORDS, slot + VECTOR_SLOTS, terms, out);
    group = words + WORDS_BYTES;
  }
  return out;
}

/** Two probes, of one search or of two. `held` is the address of the addresses of their TERMS. */
export function coarse2(group: usize, slot: u32, groups: u32, held: usize, out: usize): usize {
  return several(false, group, slot, groups, held, out);
}

/** Three probes, in the same way. */
export function coarse3(group: usize, slot: u32, groups: u32, held: usize, out: usize): usize {
  return several(true, group, slot, groups, held, out);
}

/** The two halves of a group come one after the other. */
// @ts-ignore: decorator
@inline
function several(three: bool, group: usize, slot: u32, groups: u32, held: usize, out: usize): usize {
  const terms = <usize>load<u32>(held);
  const terms2 = <usize>load<u32>(held, 4);
  const terms3 = <usize>load<u32>(held, 8);
  const mask = v128.load(terms, MASK);
  const rows = <usize>load<u32>(terms, ROWS_END);
  for (const last = slot + groups * GROUP_SLOTS; slot < last; slot += VECTOR_SLOTS) {
    let sums = i16x8.splat(0);
    let odd = i16x8.splat(0);
    let sums2 = i16x8.splat(0);
    let odd2 = i16x8.splat(0);
    let sums3 = i16x8.splat(0);
    let odd3 = i16x8.splat(0);
    let at = TABLES;
    const end = group + rows;
    for (let from = group; from < end; from += 2 * ROW_BYTES, at += TABLES_STEP) {
      const x = v128.load(from);
      const y = v128.load(from, ROW_BYTES);
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
      if (three) {
        const sum3 = twoBytes(terms3 + at, a, b, c, d);
        sums3 = i16x8.add(sums3, sum3);
        odd3 = i16x8.add(odd3, i16x8.shr_u(sum3, 8));
      }
    }
    // The second half starts 16 bytes after the first, its words 64 bytes after those of the first.
    const second = <usize>(slot & VECTOR_SLOTS);
    const words = end + 3 * second;
    out = pass(sums, odd, words, slot, terms, out);
    out = pass(sums2, odd2, words, slot, terms2, out);
    if (three) out = pass(sums3, odd3, words, slot, terms3, out);
    group += second == 0 ? 16 : rows + WORDS_BYTES - 16;
  }
  return out;
}
