/**
 * A list of descriptors. Written as one loop, not as nested schemas: this is the largest field of the most frequent
 * request, and 128 numbers checked one schema at a time cost more than the search for them. What the loop enforces is
 * described beside it; test/http/openapi.test.ts holds that both decide alike.
 */
import * as v from 'valibot';

const DIMENSIONS = 128;
/** A shorter vector has no direction worth comparing. */
const SMALLEST_NORM = 1e-6;

/** 1 to `most` arrays of 128 finite numbers each, none of them (nearly) zero. */
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
    description:
      'Face descriptors, computed on the device of the person. One vector for each captured frame.',
    type: 'array',
    minItems: 1,
    maxItems: most,
    items: {
      description: `A vector of ${DIMENSIONS} finite numbers, of which not all are (nearly) zero. Its length does not matter.`,
      type: 'array',
      minItems: DIMENSIONS,
      maxItems: DIMENSIONS,
      items: { type: 'number' },
    },
  };
}

interface Fault {
  /** Where in the list: nothing, one descriptor, or one of its numbers. */
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
    const hint = isArray ? '' : ' (a typed array becomes one by Array.from)';
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

/** Scaled by the largest magnitude first, so that squares neither overflow nor vanish. */
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
