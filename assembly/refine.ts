/**
 * The inner loops of the second look: `fineSum` is what the fine code of one template adds, `exact4` gives what the
 * reference gives. There are two builds of this file too, and both get the same numbers.
 * Held by test/matcher/oracle.test.ts and bound.test.ts.
 */
import { DIMENSIONS } from './layout';

/** Sums of the products of pairs of digits, 0 to 3, with the factors in 16 bytes. The second build pairs others. */
// @ts-ignore: decorator
@inline
function products(digits: v128, factors: usize): v128 {
  return ASC_FEATURE_RELAXED_SIMD
    ? i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(factors), digits)
    : i16x8.add(
        i16x8.extmul_low_i8x16_s(v128.load(factors), digits),
        i16x8.extmul_high_i8x16_s(v128.load(factors), digits),
      );
}

/**
 * Sum of the products of one template's fine code with a probe's coordinates. The 3s in each byte lie at `threes`: the
 * engine would make a constant anew wherever it is used.
 */
export function fineSum(code: usize, table: usize, threes: usize): i32 {
  const three = v128.load(threes);
  const a = v128.load(code);
  const b = v128.load(code, 16);
  const first = i16x8.add(
    i16x8.add(
      products(v128.and(a, three), table),
      products(v128.and(i16x8.shr_u(a, 2), three), table + 16),
    ),
    i16x8.add(
      products(v128.and(i16x8.shr_u(a, 4), three), table + 32),
      products(v128.and(i16x8.shr_u(a, 6), three), table + 48),
    ),
  );
  const second = i16x8.add(
    i16x8.add(
      products(v128.and(b, three), table + 64),
      products(v128.and(i16x8.shr_u(b, 2), three), table + 80),
    ),
    i16x8.add(
      products(v128.and(i16x8.shr_u(b, 4), three), table + 96),
      products(v128.and(i16x8.shr_u(b, 6), three), table + 112),
    ),
  );
  const pairs = i32x4.extadd_pairwise_i16x8_s(i16x8.add(first, second));
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
