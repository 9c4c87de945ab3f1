/**
 * The inner loops of the second look: `fineSum` computes what a template's fine code adds to its score, and `exact4`
 * computes exact distances as the reference does. Both builds, with and without relaxed SIMD, give the same numbers.
 * Held by test/matcher/oracle.test.ts and bound.long.test.ts.
 */
import { DIMENSIONS } from './layout';

/** Sums of products, in pairs, of 16 digits (0 to 3) and 16 factors. The relaxed build pairs different lanes. */
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
 * Sum of the products of a template's fine code and a probe's factors. `threes` is the address of a vector of 3s: the
 * engine would build a constant again at every use.
 */
export function fineSum(code: usize, table: usize, threes: usize): i32 {
  const three = v128.load(threes);
  const sums = i16x8.add(
    halfSum(v128.load(code), table, three),
    halfSum(v128.load(code, 16), table + 64, three),
  );
  const pairs = i32x4.extadd_pairwise_i16x8_s(sums);
  const halves = i64x2.add(pairs, i64x2.shr_u(pairs, 32));
  return <i32>i64x2.extract_lane(halves, 0) + <i32>i64x2.extract_lane(halves, 1);
}

/** The same for half of the code, in 8 sums. */
// @ts-ignore: decorator
@inline
function halfSum(code: v128, table: usize, three: v128): v128 {
  return i16x8.add(
    i16x8.add(
      products(v128.and(code, three), table),
      products(v128.and(i16x8.shr_u(code, 2), three), table + 16),
    ),
    i16x8.add(
      products(v128.and(i16x8.shr_u(code, 4), three), table + 32),
      products(v128.and(i16x8.shr_u(code, 6), three), table + 48),
    ),
  );
}

/** Adds the products of two coordinates, one after the other, of two templates and of the probe to the sums. */
// @ts-ignore: decorator
@inline
function addTwo(sums: v128, four: v128, p: v128, q: v128): v128 {
  const first = f64x2.add(sums, f64x2.mul(f64x2.promote_low_f32x4(four), p));
  const upper = v128.shuffle<f32>(four, four, 2, 3, 2, 3);
  return f64x2.add(first, f64x2.mul(f64x2.promote_low_f32x4(upper), q));
}

/**
 * Computes the exact distances of one probe to 4 templates and writes them as f64 to `out`, if they are smaller than
 * the values there. Each lane sums the products of one template in index order, as the reference does.
 */
export function exact4(a: usize, b: usize, c: usize, d: usize, probe: usize, out: usize): void {
  let sumsAB = f64x2.splat(0);
  let sumsCD = f64x2.splat(0);
  for (let i: usize = 0; i < DIMENSIONS * 4; i += 16) {
    const x = v128.load(a + i);
    const y = v128.load(b + i);
    const z = v128.load(c + i);
    const w = v128.load(d + i);
    let p = f64x2.promote_low_f32x4(v128.load32_splat(probe + i));
    let q = f64x2.promote_low_f32x4(v128.load32_splat(probe + i, 4));
    sumsAB = addTwo(sumsAB, v128.shuffle<f32>(x, y, 0, 4, 1, 5), p, q);
    sumsCD = addTwo(sumsCD, v128.shuffle<f32>(z, w, 0, 4, 1, 5), p, q);
    p = f64x2.promote_low_f32x4(v128.load32_splat(probe + i, 8));
    q = f64x2.promote_low_f32x4(v128.load32_splat(probe + i, 12));
    sumsAB = addTwo(sumsAB, v128.shuffle<f32>(x, y, 2, 6, 3, 7), p, q);
    sumsCD = addTwo(sumsCD, v128.shuffle<f32>(z, w, 2, 6, 3, 7), p, q);
  }
  const one = f64x2.splat(1);
  v128.store(out, f64x2.min(v128.load(out), f64x2.sub(one, sumsAB)));
  v128.store(out, f64x2.min(v128.load(out, 16), f64x2.sub(one, sumsCD)), 16);
}
