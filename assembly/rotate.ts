/**
 * Turns vectors so that their energy is spread over all coordinates, for any encoder: signs, sums and differences over
 * 32 rows, a transposition of lanes, and both once more. The map is fixed and orthonormal, so it keeps dot products up
 * to rounding; README.md bounds the rounding. The only multiplication is by a power of two. Held by
 * test/matcher/bound.long.test.ts.
 */
import { signsAddress, turnedAddress, VECTOR_BYTES } from './layout';

/** Seed of the two rows of sign bits. Any fixed bits without a pattern would do. */
const SEED: u64 = 0x9e3779b97f4a7c15;

/** Writes the sign bits. Call once, before the first `turn`. */
export function prepareSigns(): void {
  let state = SEED;
  for (let i: usize = 0; i < 2 * VECTOR_BYTES; i += 4) {
    // xorshift64*: the top bit is as good as any.
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    const bit = <u32>((state * 0x2545f4914f6cdd1d) >> 63);
    store<u32>(signsAddress() + i, bit << 31);
  }
}

/** Turns the 128 f32 at `from` and writes them to `turnedAddress()`. */
export function turn(from: usize): void {
  const to = turnedAddress();
  mix(from, to, signsAddress());
  transpose(to);
  mix(to, to, signsAddress() + VECTOR_BYTES);
  const scale = f32x4.splat(1.0 / 32.0);
  for (let i: usize = 0; i < VECTOR_BYTES; i += 16) v128.store(to + i, f32x4.mul(v128.load(to + i), scale));
}

/** Applies signs, then a Walsh-Hadamard transform over the 32 rows of 4 lanes, not scaled. */
function mix(from: usize, to: usize, signs: usize): void {
  for (let i: usize = 0; i < VECTOR_BYTES; i += 16) {
    v128.store(to + i, v128.xor(v128.load(from + i), v128.load(signs + i)));
  }
  // Two stages at a time halve the loads and stores.
  for (let stride: usize = 16; stride <= 64; stride <<= 2) {
    for (let base = to; base < to + VECTOR_BYTES; base += 4 * stride) {
      for (let row = base; row < base + stride; row += 16) {
        const a = v128.load(row);
        const b = v128.load(row + stride);
        const c = v128.load(row + 2 * stride);
        const d = v128.load(row + 3 * stride);
        const ab = f32x4.add(a, b);
        const cd = f32x4.add(c, d);
        const aMinusB = f32x4.sub(a, b);
        const cMinusD = f32x4.sub(c, d);
        v128.store(row, f32x4.add(ab, cd));
        v128.store(row + stride, f32x4.add(aMinusB, cMinusD));
        v128.store(row + 2 * stride, f32x4.sub(ab, cd));
        v128.store(row + 3 * stride, f32x4.sub(aMinusB, cMinusD));
      }
    }
  }
  for (let row = to; row < to + VECTOR_BYTES / 2; row += 16) {
    const a = v128.load(row);
    const b = v128.load(row, VECTOR_BYTES / 2);
    v128.store(row, f32x4.add(a, b));
    v128.store(row, f32x4.sub(a, b), VECTOR_BYTES / 2);
  }
}

/** Transposes each 4 rows of 4 lanes. */
function transpose(at: usize): void {
  for (let row = at; row < at + VECTOR_BYTES; row += 64) {
    const a = v128.load(row);
    const b = v128.load(row, 16);
    const c = v128.load(row, 32);
    const d = v128.load(row, 48);
    const abLow = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
    const abHigh = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
    const cdLow = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
    const cdHigh = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
    v128.store(row, v128.shuffle<i64>(abLow, cdLow, 0, 2));
    v128.store(row, v128.shuffle<i64>(abLow, cdLow, 1, 3), 16);
    v128.store(row, v128.shuffle<i64>(abHigh, cdHigh, 0, 2), 32);
    v128.store(row, v128.shuffle<i64>(abHigh, cdHigh, 1, 3), 48);
  }
}
