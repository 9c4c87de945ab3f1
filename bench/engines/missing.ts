/** Thrown by an engine that is not installed. The message is one line and says how to install it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export class Missing extends Error {}

const require = createRequire(import.meta.url);

/** A package of bench/package.json. Callers declare its type: it may not be installed when types are checked. */
export function peer<T>(name: string): { module: T; version: string } {
  try {
    const manifest = readFileSync(join(import.meta.dirname, '../node_modules', name, 'package.json'), 'utf8');
    return { module: require(name) as T, version: JSON.parse(manifest).version };
  } catch (cause) {
    throw new Missing(`${name} is left out: install it with "npm ci --prefix bench"`, { cause });
  }
}
