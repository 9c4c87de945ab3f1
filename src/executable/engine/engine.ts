/**
 * The database engine that is packed: compiled here for older systems too, or the one that its package brings, or another
 * build of the same.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageFolder } from '../packages.ts';
import { compiledEngine } from './compile.ts';

/** Of Node.js itself. */
const LEAST_MINOR = 28;

export interface Engine {
  readonly file: string;
  /** The one that the package brings. */
  readonly prebuilt: boolean;
  readonly sha256: string;
  /** The oldest glibc that has all that Node.js and it ask for. */
  readonly glibc: string;
}

/**
 * @param choice `compiled` (the prebuilt one where no compiler is installed), `prebuilt`, or a file
 * @throws Error when the package has none for this platform
 */
export async function engineFor(platform: string, choice: string): Promise<Engine> {
  const prebuilt = join(packageFolder('better-sqlite3'), 'prebuilds', `${platform}.node`);
  const file = await chosen();
  const bytes = readFileSync(file);
  // Versions of symbols stand in the file as text.
  const minors = [...bytes.toString('latin1').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
  return {
    file,
    prebuilt: file === prebuilt,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    glibc: `2.${Math.max(LEAST_MINOR, ...minors)}`,
  };

  async function chosen(): Promise<string> {
    if (choice === 'prebuilt') return prebuilt;
    if (choice === 'compiled') return (await compiledEngine()) ?? prebuilt;
    return resolve(choice);
  }
}
