/**
 * The folder in which runs keep what later runs need: galleries, right answers, indexes, databases, compiled scans. It
 * is in this checkout, because some of it is run: another user of the machine could have filled a folder with a known
 * name in the system's temporary folder. `npm ci --prefix bench` empties it. Held by test/bench/files.test.ts.
 */
import { join } from 'node:path';

export const CACHE = join(import.meta.dirname, 'node_modules/.cache/face-sign-in');
