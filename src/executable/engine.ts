/**
 * Finds the database engine to pack: the prebuilt one from its package, so the build needs no compiler. Also finds the
 * oldest glibc that it runs on. Held by test/bare.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './packages.ts';

/** glibc 2.28, which Node.js itself needs. */
const LEAST_MINOR = 28;

export interface Engine {
  readonly file: string;
  readonly sha256: string;
  /** The oldest glibc that has everything Node.js and the engine need. */
  readonly glibc: string;
}

/** @throws Error if the package has no engine for this platform */
export function engineFor(platform: string): Engine {
  const file = join(packageFolder('better-sqlite3'), 'prebuilds', `${platform}.node`);
  const bytes = readFileSync(file);
  // The file contains the versions of the symbols it needs as text.
  const minors = [...bytes.toString('latin1').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
  return {
    file,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    glibc: `2.${Math.max(LEAST_MINOR, ...minors)}`,
  };
}
