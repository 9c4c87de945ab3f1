/** The database engine that is packed: the one that its package brings for this platform, or another build of the same. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Of Node.js itself. */
const LEAST_MINOR = 28;

export interface Engine {
  readonly file: string;
  readonly sha256: string;
  /** The oldest glibc that has all that Node.js and it ask for. */
  readonly glibc: string;
}

/** @throws Error when the package has none for this platform */
export function engineFor(platform: string, file = ofPackage(platform)): Engine {
  const bytes = readFileSync(file);
  // Versions of symbols stand in the file as text.
  const minors = [...bytes.toString('latin1').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
  return {
    file,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    glibc: `2.${Math.max(LEAST_MINOR, ...minors)}`,
  };
}

function ofPackage(platform: string): string {
  const { resolve } = createRequire(import.meta.url);
  return join(resolve('better-sqlite3/package.json'), `../prebuilds/${platform}.node`);
}
