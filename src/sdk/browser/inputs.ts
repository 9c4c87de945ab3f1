/**
 * Checks the input of a call before the camera opens or anything is sent. `detail` explains a mistake in the page's
 * code to its developer. The service checks more, and accepts nothing that is refused here. Held by
 * test/sdk/browser-inputs.test.ts.
 */
import type { Consent } from './client-types.ts';
import { FaceSignInError } from './errors.ts';

const DIMENSIONS = 128;

/** Options of a call. A page without types may pass none. */
export const optionsOf = <T extends object>(options: T | null | undefined): Partial<T> => options ?? {};

/**
 * @returns plain arrays, ready to be sent
 * @throws FaceSignInError invalid_request
 */
export function descriptorsOf(given: unknown, most: number): number[][] {
  if (!Array.isArray(given)) refuse('descriptors', 'must be an array of descriptors');
  if (given.length > 0 && given.every(entry => typeof entry === 'number'))
    refuse(
      'descriptors',
      `must be a list of lists of ${DIMENSIONS} numbers: wrap a single descriptor in brackets`,
    );
  if (given.length < 1 || given.length > most)
    refuse('descriptors', `must hold 1 to ${most} descriptors, not ${given.length}`);
  return given.map((descriptor, at) => {
    if (!isList(descriptor) || descriptor.length !== DIMENSIONS)
      refuse(`descriptors[${at}]`, `must be an array of exactly ${DIMENSIONS} numbers`);
    const numbers: unknown[] = Array.from(descriptor);
    const wrong = numbers.findIndex(number => typeof number !== 'number' || !Number.isFinite(number));
    if (wrong >= 0) refuse(`descriptors[${at}][${wrong}]`, 'must be a finite number');
    return numbers as number[];
  });
}

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value);

/** The same rule as the service's. */
const ENCODER_ID = /^[ -~]{1,100}$/;
export const ENCODER_ID_RULE = 'must be 1 to 100 printable ASCII characters';

export const isEncoderId = (given: unknown): given is string =>
  typeof given === 'string' && ENCODER_ID.test(given);

/** @throws FaceSignInError invalid_request */
export function encoderIdOf(given: unknown): string {
  if (!isEncoderId(given)) refuse('encoder', ENCODER_ID_RULE);
  return given;
}

/** @throws FaceSignInError invalid_request */
export function textOf(given: unknown, field: string): string {
  if (typeof given !== 'string') refuse(field, 'must be a string');
  return given;
}

/** @throws FaceSignInError consent_required, invalid_request */
export function consentOf(given: unknown): { policy_version: string; accepted: true } {
  const consent: Partial<Consent> = typeof given === 'object' && given !== null ? given : {};
  if (consent.accepted !== true)
    throw new FaceSignInError('consent_required', {
      detail: 'consent must be { policyVersion, accepted: true }, once the person has accepted the notice',
    });
  if (typeof consent.policyVersion !== 'string' || consent.policyVersion === '')
    refuse('consent.policyVersion', 'must name the notice that was shown');
  return { policy_version: consent.policyVersion, accepted: true };
}

function refuse(field: string, rule: string): never {
  throw new FaceSignInError('invalid_request', { detail: `${field}: ${rule}` });
}
