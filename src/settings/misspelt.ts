/**
 * Names in the environment that look like settings and are none, which would leave a default in force unnoticed. They are
 * only warned of, since the environment belongs to other programs too, and their values are never shown. Held by
 * test/domain/misspelt.test.ts.
 */
import { nearest } from './nearest.ts';

/** Beginnings that whole families of settings share. */
const FAMILIES = ['LIMIT_', 'MATCH_', 'PORTAL_', 'MAIL_'];
/** Read by single commands. */
const OF_COMMANDS = ['NEW_MASTER_SECRET', 'EXPORT_PASSPHRASE'];
/** HOST, PORT and DEMO are one letter away from names that mean something else. */
const SHORTEST = 8;

type Environment = { readonly [name: string]: string | undefined };

/** @returns a line for each */
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
