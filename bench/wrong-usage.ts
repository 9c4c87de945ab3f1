/** Thrown for a command line that cannot be run: main.ts prints the message and exits with 2. */
import { nearest } from '../src/settings/misspelt.ts';

export class WrongUsage extends Error {}

/** ` (did you mean "easy"?)`, or nothing if no known word is near. */
export function didYouMean(typed: string, known: readonly string[], prefix = ''): string {
  const near = nearest(typed, known);
  return near === null ? '' : `: did you mean ${prefix}${near}?`;
}

/** @throws WrongUsage for the first word that is not among the known ones */
export function refuseUnknown(what: string, typed: readonly string[], known: readonly string[]): void {
  const unknown = typed.find(word => !known.includes(word));
  if (unknown === undefined) return;
  throw new WrongUsage(
    `there is no ${what} "${unknown}"${didYouMean(unknown, known) || `; there are ${known.join(', ')}`}`,
  );
}
