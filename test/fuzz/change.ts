/** One change of a request: a function of a table by its name, and what it may use. Plain data, so that it can shrink. */
import fc from 'fast-check';

export interface Change {
  readonly how: string;
  /** Chooses a place, or one of several. */
  readonly at: number;
  readonly text: string;
  readonly name: string;
}

/** @param how names of functions, the likelier ones several times */
export function changeOf(
  how: readonly string[],
  text: fc.Arbitrary<string> = fc.constant(''),
  name: fc.Arbitrary<string> = fc.constant(''),
): fc.Arbitrary<Change> {
  const at = fc.noBias(fc.nat({ max: 9_999 }));
  return fc.record({ how: fc.constantFrom(...how), at, text, name }, { noNullPrototype: true });
}

export const pickedBy = <Item>(at: number, all: readonly Item[]) => all[at % all.length] as Item;
