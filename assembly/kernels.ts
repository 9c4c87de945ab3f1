/**
 * Dot products of probes with a group of 8 templates. `score1..3` use float32, for 1 to 3 probes at once, and give
 * scores that lie within EPSILON of the exact ones; `exact` gives what the reference gives: products and sums in
 * double, in index order. README.md proves EPSILON and depends on the summation written here: change them together.
 * It knows nothing of users, free slots or decisions. Held by test/matcher/oracle.test.ts.
 */
import { DIMENSIONS, GROUP_BYTES, ROW } from './layout';

/** Bound on |float32 score - exact score|, with room for the rounding of what it is compared with. */
export const EPSILON: f64 = 1.0 / 65536.0;

/** Bytes from one probe to the next. */
const PROBE: usize = DIMENSIONS * 4;

// Each function returns four lanes, the larger of templates n and n + 4, over all its probes: the caller only asks
// whether anything in the group is worth an exact look. The loops step through memory in one direction with few
// accumulators, because the engine has 16 registers and the prefetcher follows one stream best.

/** One probe: even and odd dimensions are summed apart, else the additions would wait for each other. */
export function score1(group: usize, probe: usize): v128 {
  let evenLow = f32x4.splat(0);
  let evenHigh = f32x4.splat(0);
  let oddLow = f32x4.splat(0);
  let oddHigh = f32x4.splat(0);
  const end = group + GROUP_BYTES;
  for (; group < end; group += 2 * ROW, probe += 8) {
    const even = v128.load32_splat(probe);
    const odd = v128.load32_splat(probe, 4);
    evenLow = f32x4.add(evenLow, f32x4.mul(v128.load(group), even));
    evenHigh = f32x4.add(evenHigh, f32x4.mul(v128.load(group, 16), even));
    oddLow = f32x4.add(oddLow, f32x4.mul(v128.load(group, 32), odd));
    oddHigh = f32x4.add(oddHigh, f32x4.mul(v128.load(group, 48), odd));
  }
  return f32x4.pmax(f32x4.add(evenLow, oddLow), f32x4.add(evenHigh, oddHigh));
}

/** Two probes, each summed in index order. */
export function score2(group: usize, probe: usize): v128 {
  let aLow = f32x4.splat(0);
  let aHigh = f32x4.splat(0);
  let bLow = f32x4.splat(0);
  let bHigh = f32x4.splat(0);
  const end = group + GROUP_BYTES;
  for (; group < end; group += ROW, probe += 4) {
    const a = v128.load32_splat(probe);
    const b = v128.load32_splat(probe, PROBE);
    const low = v128.load(group);
    const high = v128.load(group, 16);
    aLow = f32x4.add(aLow, f32x4.mul(low, a));
    bLow = f32x4.add(bLow, f32x4.mul(low, b));
    aHigh = f32x4.add(aHigh, f32x4.mul(high, a));
    bHigh = f32x4.add(bHigh, f32x4.mul(high, b));
  }
  return f32x4.pmax(f32x4.pmax(aLow, aHigh), f32x4.pmax(bLow, bHigh));
}

/** Three probes, each summed in index order. */
export function score3(group: usize, probe: usize): v128 {
  let aLow = f32x4.splat(0);
  let aHigh = f32x4.splat(0);
  let bLow = f32x4.splat(0);
  let bHigh = f32x4.splat(0);
  let cLow = f32x4.splat(0);
  let cHigh = f32x4.splat(0);
  const end = group + GROUP_BYTES;
  for (; group < end; group += ROW, probe += 4) {
    const a = v128.load32_splat(probe);
    const b = v128.load32_splat(probe, PROBE);
    const c = v128.load32_splat(probe, 2 * PROBE);
    const low = v128.load(group);
    aLow = f32x4.add(aLow, f32x4.mul(low, a));
    bLow = f32x4.add(bLow, f32x4.mul(low, b));
    cLow = f32x4.add(cLow, f32x4.mul(low, c));
    const high = v128.load(group, 16);
    aHigh = f32x4.add(aHigh, f32x4.mul(high, a));
    bHigh = f32x4.add(bHigh, f32x4.mul(high, b));
    cHigh = f32x4.add(cHigh, f32x4.mul(high, c));
  }
  const ab = f32x4.pmax(f32x4.pmax(aLow, aHigh), f32x4.pmax(bLow, bHigh));
  return f32x4.pmax(ab, f32x4.pmax(cLow, cHigh));
}

/** Exact dot products of one probe with the 8 templates of a group, written to 8 f64 at `out`. */
export function exact(group: usize, probe: usize, out: usize): void {
  let s01 = f64x2.splat(0);
  let s23 = f64x2.splat(0);
  let s45 = f64x2.splat(0);
  let s67 = f64x2.splat(0);
  const end = group + GROUP_BYTES;
  for (; group < end; group += ROW, probe += 4) {
    const p = f64x2.splat(<f64>load<f32>(probe));
    s01 = f64x2.add(s01, f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(group)), p));
    s23 = f64x2.add(s23, f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(group, 8)), p));
    s45 = f64x2.add(s45, f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(group, 16)), p));
    s67 = f64x2.add(s67, f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(group, 24)), p));
  }
  v128.store(out, s01);
  v128.store(out, s23, 16);
  v128.store(out, s45, 32);
  v128.store(out, s67, 48);
}
