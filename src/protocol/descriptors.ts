/**
 * A list of descriptors. It is the largest field of the most frequent request, and checking 128 numbers with a schema
 * each costs more than the search itself. So one loop checks it, and a JSON Schema beside the loop describes it.
 * test/http/openapi.test.ts checks that both agree.
 */
import * as v from 'valibot';

const DIMENSIONS = 128;
/** A shorter vector has no direction worth comparing. */
const SMALLEST_NORM = 1e-6;

/** 1 to `most` arrays of 128 finite numbers each. No array is (nearly) all zeros. */
export function descriptors(most: number) {
  return v.pipe(
    v.unknown(),
    v.metadata(description(most)),
    v.rawTransform<unknown, number[][]>(({ dataset: { value }, addIssue, NEVER }) => {
      const fault = faultIn(value, most);
      if (!fault) return value as number[][];
      addIssue({ message: fault.message, path: fault.at.length === 0 ? undefined : pathOf(fault.at) });
      return NEVER;
    }),
  );
}

function description(most: number) {
  return {
    description: 'Face descriptors, computed on the person’s device. One vector for each captured frame.',
    type: 'array',
    minItems: 1,
    maxItems: most,
    items: {
      description: `A vector of ${DIMENSIONS} finite numbers, not (nearly) all zeros. It need not be normalized.`,
      type: 'array',
      items: { type: 'number' },
      // Exactly 128. With minItems equal to maxItems, client generators would write a tuple of 128 numbers, which no
      // number[] fits. Held by test/clients/generated.test.ts.
      maxItems: DIMENSIONS,
      contains: { type: 'number' },
      minContains: DIMENSIONS,
    },
  };
}

interface Fault {
  /** Where in the list: [], [descriptor] or [descriptor, number]. */
  readonly at: readonly number[];
  readonly message: string;
}

function faultIn(list: unknown, most: number): Fault | null {
  if (list === undefined) return { at: [], message: 'is required' };
  if (!Array.isArray(list)) return { at: [], message: 'must be an array of descriptors' };
  if (list.length > 0 && list.every(entry => typeof entry === 'number'))
    return { at: [], message: `must be a list of lists of ${DIMENSIONS} numbers` };
  if (list.length < 1 || list.length > most) return { at: [], message: `must hold 1 to ${most} descriptors` };
  for (let i = 0; i < list.length; i++) {
    const fault = faultInDescriptor(list[i], i);
    if (fault) return fault;
  }
  return null;
}

function faultInDescriptor(descriptor: unknown, index: number): Fault | null {
  if (!Array.isArray(descriptor) || descriptor.length !== DIMENSIONS) {
    const isArray = Array.isArray(descriptor) || typeof descriptor !== 'object' || descriptor === null;
    const hint = isArray ? '' : ' (convert a typed array with Array.from)';
    return { at: [index], message: `must be an array of exactly ${DIMENSIONS} numbers${hint}` };
  }
  let largest = 0;
  for (let i = 0; i < DIMENSIONS; i++) {
    const number = descriptor[i];
    if (typeof number !== 'number' || !Number.isFinite(number))
      return { at: [index, i], message: 'must be a finite number' };
    largest = Math.max(largest, Math.abs(number));
  }
  return normOf(descriptor, largest) < SMALLEST_NORM
    ? { at: [index], message: 'must not be (nearly) all zeros' }
    : null;
}

/** Scales by the largest magnitude first, so that the squares neither overflow nor underflow. */
function normOf(numbers: readonly number[], largest: number): number {
  if (largest === 0) return 0;
  let sum = 0;
  for (const number of numbers) sum += (number / largest) ** 2;
  return largest * Math.sqrt(sum);
}

function pathOf(keys: readonly number[]): [v.IssuePathItem, ...v.IssuePathItem[]] {
  const items = keys.map(
    key => ({ type: 'array', origin: 'value', input: [], key, value: undefined }) as const,
  );
  return items as unknown as [v.IssuePathItem, ...v.IssuePathItem[]];
}
