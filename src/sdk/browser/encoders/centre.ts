/**
 * Makes a raw descriptor comparable by angle. Some encoders' descriptors all point about the same way: a common mean
 * carries most of each vector, and by angle everybody is everybody. Taking the mean away leaves what tells people
 * apart. Arithmetic only: runs in browsers, workers and Node alike. Refuses what cannot become a direction, instead of
 * sending a wrong one. Held by test/sdk/centre.test.ts.
 */
import { FACE_API_MEAN } from './face-api-mean.ts';

/** Numbers in a descriptor. */
export const DIMENSIONS = 128;
/** A shorter difference has no direction worth comparing. */
const SMALLEST_NORM = 1e-6;

/**
 * `raw` less `mean`, at norm 1, in double precision.
 * @param raw 128 finite numbers, as the encoder gives them
 * @param mean 128 finite numbers: the mean raw descriptor of many people; that of face-api unless told
 * @throws RangeError when either is not 128 finite numbers, or when nothing is left after the mean is taken away
 */
export function centre(raw: ArrayLike<number>, mean: ArrayLike<number> = FACE_API_MEAN): number[] {
  checkNumbers('the raw descriptor', raw);
  checkNumbers('the mean', mean);
  const difference = Array.from({ length: DIMENSIONS }, (_, i) => (raw[i] as number) - (mean[i] as number));
  return unit(difference, 'nothing is left of the raw descriptor after the mean is taken away');
}

/**
 * `raw` at norm 1: for encoders that need no centring.
 * @throws RangeError when it is not 128 finite numbers, or (nearly) zero
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

/** Scaled by the largest magnitude first, so that squares neither overflow nor vanish. */
function unit(vector: readonly number[], nothing: string): number[] {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (!Number.isFinite(largest)) throw new RangeError('the numbers are too large');
  if (largest < SMALLEST_NORM / DIMENSIONS) throw new RangeError(nothing);
  const scaled = vector.map(value => value / largest);
  const norm = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0));
  if (norm * largest < SMALLEST_NORM) throw new RangeError(nothing);
  return scaled.map(value => value / norm);
}
