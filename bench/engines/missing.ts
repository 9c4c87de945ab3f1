/** What is left out of a run because it is not installed or not built, and the one line that says what to do. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export class Missing extends Error {
  readonly what: string;
  /** What to do: `npm ci --prefix bench`. */
  readonly fix: string;

  constructor(what: string, fix: string, options?: ErrorOptions) {
    super(`${what} is left out: ${fix}`, options);
    this.what = what;
    this.fix = fix;
  }
}

const noted = new Map<string, Missing>();

/** Prints each line once, and keeps it for the findings. */
export function leaveOut(missing: Missing): void {
  if (!noted.has(missing.message)) console.error(missing.message);
  noted.set(missing.message, missing);
}

export const leftOut = (): Missing[] => [...noted.values()];

const require = createRequire(import.meta.url);

/** A package of bench/package.json. Callers declare its type: it may not be installed when types are checked. */
export function peer<T>(name: string): { module: T; version: string } {
  try {
    const manifest = readFileSync(join(import.meta.dirname, '../node_modules', name, 'package.json'), 'utf8');
    return { module: require(name) as T, version: JSON.parse(manifest).version };
  } catch (cause) {
    throw new Missing(name, 'install it with "npm ci --prefix bench"', { cause });
  }
}
