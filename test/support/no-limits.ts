/** Settings that switch every limit off that can be: load tests and benches all come from one address. */
import { SETTINGS } from '../../src/config.ts';

export const NO_LIMITS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(SETTINGS)
    .filter(name => name.startsWith('LIMIT_'))
    .map(name => [name, '0']),
);
