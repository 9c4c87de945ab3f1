/**
 * Finds misspelt settings in the environment, because they would leave a default in force unnoticed. They only cause a
 * warning, since the variables may belong to other programs. Values are never shown.
 * Held by test/settings/misspelt.test.ts.
 */
import { slipsBetween } from '../slips.ts';

/** Prefixes that several settings share. */
const FAMILIES = ['LIMIT_', 'MATCH_', 'PORTAL_', 'MAIL_'];
/** Variables that only single commands read. */
const OF_COMMANDS = ['NEW_MASTER_SECRET', 'EXPORT_PASSPHRASE'];
/** Shorter settings (HOST, PORT, DEMO) differ by one letter from unrelated names. */
const SHORTEST = 8;

type Environment = { readonly [name: string]: string | undefined };

/** @returns one line per name */
export function misspelt(env: Environment, known: readonly string[]): string[] {
  const long = known.filter(name => name.length >= SHORTEST);
  return Object.keys(env)
    .filter(name => env[name] !== '' && !known.includes(name) && !OF_COMMANDS.includes(name))
    .sort()
    .flatMap(name => {
      const near = nearestSetting(name, long);
      if (near === null && !FAMILIES.some(family => name.startsWith(family))) return [];
      return [`${name} in the environment is not a setting${near ? `: did you mean ${near}?` : ''}`];
    });
}

export function nearestSetting(name: string, known: readonly string[]): string | null {
  const lower = known.map(each => each.toLowerCase());
  return nearest(name, lower)?.toUpperCase() ?? null;
}

/** With more typos than this, or more than a third of the letters, it is another word. */
const MOST_SLIPS = 3;

/** The known word that is nearest to a mistyped one, for "did you mean …?". */
export function nearest(typed: string, known: readonly string[]): string | null {
  const most = Math.min(MOST_SLIPS, Math.max(1, Math.floor(typed.length / 3)));
  let best: string | null = null;
  let fewest = most + 1;
  for (const word of known) {
    const slips = slipsBetween(typed.toLowerCase(), word);
    if (slips < fewest) [best, fewest] = [word, slips];
  }
  return best;
}
