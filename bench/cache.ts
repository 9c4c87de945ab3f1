/**
 * The folder in which runs keep what later runs need: galleries, right answers, indexes, databases, compiled scans. It
 * is in this checkout, because some of it is run: a folder with a known name in the system's temporary folder could
 * have been filled by another user of the machine. `npm ci --prefix bench` empties it. Held by test/bench/cache.test.ts.
 */
import { join } from 'node:path';

export const CACHE = join(import.meta.dirname, 'node_modules/.cache/face-sign-in');
