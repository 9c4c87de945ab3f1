/**
 * L2 normalisation of probes in double precision, rounded once to float32. It first divides by the power of two at or
 * below the largest magnitude. That is exact, so huge and tiny numbers neither overflow nor vanish, and ordinary
 * numbers give the same bits as the plain formula. It refuses numbers that are not finite and norms below 1e-6. Every
 * comparison is written so that NaN is refused too. Held by test/matcher/normalise.test.ts.
 */
import { DIMENSIONS, RAW, UNIT } from './layout';

const MIN_NORM: f64 = 1e-6;
const EXPONENT_BITS: u64 = 0x7ff0000000000000;

/**
 * Normalises the first `count` probes of a search and erases the originals.
 * @returns 0, or the number (from 1) of the first refused probe
 */
export function normalise(search: usize, count: u32): u32 {
  let refused: u32 = 0;
  for (let row: u32 = 0; row < count && refused == 0; row++) {
    const from = search + RAW + <usize>row * DIMENSIONS * 8;
    if (!normaliseRow(from, search + UNIT + <usize>row * DIMENSIONS * 4)) refused = row + 1;
  }
  memory.fill(search + RAW, 0, UNIT - RAW);
  return refused;
}

function normaliseRow(from: usize, to: usize): bool {
  let largest: f64 = 0;
  for (let i: usize = 0; i < DIMENSIONS; i++) {
    const size = abs(load<f64>(from + i * 8));
    if (!(size <= f64.MAX_VALUE)) return false;
    largest = max(largest, size);
  }
  // 128 numbers below this cannot have a norm of 1e-6; above it, the scale is a normal number.
  if (!(largest >= MIN_NORM / 12)) return false;
  const scale = reinterpret<f64>(reinterpret<u64>(largest) & EXPONENT_BITS);

  let sum: f64 = 0;
  for (let i: usize = 0; i < DIMENSIONS; i++) {
    const x = load<f64>(from + i * 8) / scale;
    sum += x * x;
  }
  const norm = sqrt(sum);
  if (!(norm * scale >= MIN_NORM)) return false;
  for (let i: usize = 0; i < DIMENSIONS; i++) {
    store<f32>(to + i * 4, <f32>(load<f64>(from + i * 8) / scale / norm));
  }
  return true;
}
