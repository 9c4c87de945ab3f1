/**
 * How a gallery's templates are coded: the axis, which holds what they have in common, and the step of the codes. Both
 * follow the data. A reflection moves the axis to coordinate 0, which is stored almost exactly, so a strong common mean
 * does not loosen the bound. The step follows the energy of the other coordinates. Whenever a gallery has grown to four
 * times its size, the coding is checked; if a new one would make the bound much tighter, all templates are coded again.
 * A coding never changes an answer, only how many templates need a second look. Held by
 * test/matcher/bound.long.test.ts.
 */
import { codingAddress, DIMENSIONS, templates, turnedAddress } from './layout';

const STEP: usize = 0; // f32: half the width of a coarse cell
const FACTOR: usize = 8; // f64: 2 / |axis|² of the reflection; 0: none
const COARSE_NORM: usize = 16; // f64: largest norm of a vector decoded from coarse codes
const FINE_NORM: usize = 24; // f64: the same for fine codes
const CHECK_AT: usize = 32; // u32: number of templates at which the coding is checked next
const ENERGY: usize = 40; // f64: energy beside the axis for which the step was chosen
const AXIS: usize = 64; // 128 f32: normal vector of the reflection
const SUM: usize = 576; // 128 f64: sum of all turned templates

/** Half a coarse cell in standard deviations of a coordinate: slightly more than is best for coarse codes alone. */
const STEP_IN_DEVIATIONS: f64 = 0.54;

/** The first check comes at this number of templates. */
const FIRST_CHECK: u32 = 64;
/**
 * Templates are coded again if the energy beside the axis falls to this share, or differs from ENERGY by this factor.
 */
const WORTH: f64 = 0.85;

export function beginCoding(gallery: u32): void {
  const at = codingAddress(gallery);
  store<u32>(at, FIRST_CHECK, CHECK_AT);
  setEnergy(at, 1);
}

function setEnergy(at: usize, energy: f64): void {
  store<f64>(at, energy, ENERGY);
  store<f32>(at, <f32>(STEP_IN_DEVIATIONS * sqrt(max(energy, 1e-5) / <f64>(DIMENSIONS - 1))), STEP);
  store<f64>(at, 0, COARSE_NORM);
  store<f64>(at, 0, FINE_NORM);
}

/** Half the width of a coarse cell. */
export function step(gallery: u32): f32 {
  return load<f32>(codingAddress(gallery), STEP);
}
export function coarseNorm(gallery: u32): f64 {
  return load<f64>(codingAddress(gallery), COARSE_NORM);
}
export function fineNorm(gallery: u32): f64 {
  return load<f64>(codingAddress(gallery), FINE_NORM);
}
export function noteNorms(gallery: u32, coarse: f64, fine: f64): void {
  const at = codingAddress(gallery);
  store<f64>(at, max(load<f64>(at, COARSE_NORM), coarse), COARSE_NORM);
  store<f64>(at, max(load<f64>(at, FINE_NORM), fine), FINE_NORM);
}

/** Adds the turned vector to the sum (1) or subtracts it (-1). */
export function count(gallery: u32, sign: f64): void {
  const from = turnedAddress();
  const sum = codingAddress(gallery) + SUM;
  const signs = f64x2.splat(sign);
  for (let i: usize = 0; i < DIMENSIONS * 4; i += 8) {
    v128.store(sum + i * 2, f64x2.add(v128.load(sum + i * 2), f64x2.mul(signs, doubles(from + i))));
  }
}

/** Reflects the turned vector, so that the gallery's axis becomes coordinate 0. */
export function reflect(gallery: u32): void {
  const at = codingAddress(gallery);
  const factor = load<f64>(at, FACTOR);
  if (factor == 0) return;
  const vector = turnedAddress();
  let even = f64x2.splat(0);
  let odd = f64x2.splat(0);
  for (let i: usize = 0; i < DIMENSIONS * 4; i += 16) {
    even = f64x2.add(even, f64x2.mul(doubles(at + AXIS + i), doubles(vector + i)));
    odd = f64x2.add(odd, f64x2.mul(doubles(at + AXIS + i + 8), doubles(vector + i + 8)));
  }
  const sum = f64x2.add(even, odd);
  const along = f32x4.splat(<f32>(factor * (f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1))));
  for (let i: usize = 0; i < DIMENSIONS * 4; i += 16) {
    v128.store(vector + i, f32x4.sub(v128.load(vector + i), f32x4.mul(along, v128.load(at + i, AXIS))));
  }
}

/** Two f32 as f64. */
// @ts-ignore: decorator
@inline
function doubles(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at));
}

/** Checks the coding when it is due. True: the coding has changed, and every template must be coded again. */
export function adapt(gallery: u32): bool {
  const at = codingAddress(gallery);
  const n = templates(gallery);
  if (n < load<u32>(at, CHECK_AT)) return false;
  store<u32>(at, n > 0x3fffffff ? u32.MAX_VALUE : n * 4, CHECK_AT);

  let square: f64 = 0;
  for (let i: usize = 0; i < DIMENSIONS; i++) {
    const x = load<f64>(at + i * 8, SUM) / <f64>n;
    square += x * x;
  }
  // Even n unrelated directions have a mean of some length. That part is not an axis, so it is subtracted.
  const inCommon = min(square - (1 - square) / <f64>n, 1);
  const left = 1 - inCommon;
  const along = alongAxis(at, <f64>n);
  const leftNow = 1 - along * along;
  const before = load<f64>(at, ENERGY);
  const better = inCommon > 0.05 && left < WORTH * leftNow;
  const off = leftNow < WORTH * before || before < WORTH * leftNow;
  if (!better && !off) return false;
  if (better) setAxis(at, sqrt(square), <f64>n);
  setEnergy(at, better ? left : leftNow);
  return true;
}

/** The mean's coordinate on the current axis; without a reflection, that is coordinate 0. */
function alongAxis(at: usize, n: f64): f64 {
  const factor = load<f64>(at, FACTOR);
  const first = load<f64>(at, SUM) / n;
  if (factor == 0) return first;
  let along: f64 = 0;
  for (let i: usize = 0; i < DIMENSIONS; i++) {
    along += <f64>load<f32>(at + i * 4, AXIS) * (load<f64>(at + i * 8, SUM) / n);
  }
  return first - factor * along * <f64>load<f32>(at, AXIS);
}

/** Sets the reflection that moves the mean's direction to coordinate 0, with the sign that is farther from it. */
function setAxis(at: usize, norm: f64, n: f64): void {
  let square: f64 = 0;
  for (let i: usize = 0; i < DIMENSIONS; i++) {
    let x = load<f64>(at + i * 8, SUM) / n / norm;
    if (i == 0) x += x < 0 ? -1 : 1;
    const rounded = <f32>x;
    store<f32>(at + i * 4, rounded, AXIS);
    square += <f64>rounded * <f64>rounded;
  }
  store<f64>(at, 2 / square, FACTOR);
}

/** Forgets all data once the last template is gone. */
export function forget(gallery: u32): void {
  const at = codingAddress(gallery);
  memory.fill(at, 0, SUM + DIMENSIONS * 8);
  beginCoding(gallery);
}
