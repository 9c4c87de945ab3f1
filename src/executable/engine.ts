/**
 * The database engine that is packed: the one that its package brings for this platform, so building needs no compiler.
 * Says how old a system may be that runs it. Held by test/bare.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './packages.ts';

/** Of Node.js itself. */
const LEAST_MINOR = 28;

export interface Engine {
  readonly file: string;
  readonly sha256: string;
  /** The oldest glibc that has everything Node.js and the engine ask for. */
  readonly glibc: string;
}

/** @throws Error when the package has none for this platform */
export function engineFor(platform: string): Engine {
  const file = join(packageFolder('better-sqlite3'), 'prebuilds', `${platform}.node`);
  const bytes = readFileSync(file);
  // The file names the versions of the symbols it needs as text.
  const minors = [...bytes.toString('latin1').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
  return {
    file,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    glibc: `2.${Math.max(LEAST_MINOR, ...minors)}`,
  };
}
