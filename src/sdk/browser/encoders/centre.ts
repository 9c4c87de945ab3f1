/**
 * Makes a raw descriptor comparable by angle. The descriptors of some encoders all point in about the same direction,
 * because a common mean dominates them, so the angle does not separate people. Subtracting the mean fixes that. Works
 * in browsers, workers and Node.js. Held by test/sdk/capture-align.test.ts.
 */
import { FACE_API_MEAN } from './face-api-mean.ts';

/** Numbers in a descriptor. */
const DIMENSIONS = 128;
/** A shorter difference has no direction worth comparing. */
const SMALLEST_NORM = 1e-6;

/**
 * Subtracts the mean and scales to norm 1, in double precision.
 * @param raw 128 finite numbers from the encoder
 * @param mean 128 finite numbers: the mean raw descriptor of many people. Default: that of face-api.
 * @throws RangeError if either is not 128 finite numbers, or if nothing is left after subtracting the mean
 */
export function centre(raw: ArrayLike<number>, mean: ArrayLike<number> = FACE_API_MEAN): number[] {
  checkNumbers('the raw descriptor', raw);
  checkNumbers('the mean', mean);
  const difference = Array.from({ length: DIMENSIONS }, (_, i) => (raw[i] as number) - (mean[i] as number));
  return unit(difference, 'nothing is left of the raw descriptor after subtracting the mean');
}

/**
 * Scales to norm 1, for encoders that need no centring.
 * @throws RangeError if `raw` is not 128 finite numbers, or (nearly) zero
 */
export function normalise(raw: ArrayLike<number>): number[] {
  checkNumbers('the raw descriptor', raw);
  return unit(Array.from(raw), 'the raw descriptor is (nearly) zero');
}

function checkNumbers(what: string, numbers: ArrayLike<number>): void {
  const length = numbers?.length;
  if (length !== DIMENSIONS) throw new RangeError(`${what} must have ${DIMENSIONS} numbers, not ${length}`);
  for (let i = 0; i < DIMENSIONS; i++)
    if (!Number.isFinite(numbers[i])) throw new RangeError(`${what} has no finite number at ${i}`);
}

/** Scales by the largest magnitude first, so that the squares neither overflow nor underflow. */
function unit(vector: readonly number[], nothing: string): number[] {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (!Number.isFinite(largest)) throw new RangeError('the numbers are too large');
  if (largest < SMALLEST_NORM / DIMENSIONS) throw new RangeError(nothing);
  const scaled = vector.map(value => value / largest);
  const norm = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0));
  if (norm * largest < SMALLEST_NORM) throw new RangeError(nothing);
  return scaled.map(value => value / norm);
}
