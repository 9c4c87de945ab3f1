/**
 * Finds the name that a misspelt one most likely means, for messages to developers. Held by
 * test/sdk/browser-options.test.ts.
 */
import { slipsBetween } from '../../slips.ts';

/** `publishable_key`, `publishableKey` and `publishable-key` are the same to a person. */
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The known name that is at most two typos away, and fewer than a third of its letters; undefined for none. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map(name => ({ name, typos: slipsBetween(plain(given), plain(name)) }))
    .filter(({ name, typos }) => typos <= 2 && typos * 3 < plain(name).length)
    .sort((a, b) => a.typos - b.typos);
  return best?.name;
}

/** What is wrong with a name, as the end of a sentence: `no option modelPth: did you mean modelPath?` */
export function unknownName(what: string, given: string, known: readonly string[]): string {
  const meant = nearest(given, known);
  return `no ${what} ${given}${meant === undefined ? `: there are ${known.join(', ')}` : `: did you mean ${meant}?`}`;
}

/** Warns once of each option that does not exist, which would otherwise do nothing. */
export function warnOfUnknown(where: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    const line = `face-sign-in: ${where} has ${unknownName('option', name, known)}`;
    if (known.includes(name) || warned.has(line)) continue;
    warned.add(line);
    console.warn(line);
  }
}
const warned = new Set<string>();
