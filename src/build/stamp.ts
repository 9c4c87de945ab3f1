/**
 * Whether what a step of the build made is still what it would make. A stamp beside it keeps one checksum of all that went in
 * and one of all that came out, by contents: times of files say nothing after a checkout. It goes before the step begins and
 * is written last, so a build that was interrupted has none and runs again. Held by test/repo/build.test.ts.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Step {
  readonly name: string;
  /** Patterns of files, in the project. */
  readonly inputs: readonly string[];
  /** The folder that it makes; everything in it is its own. */
  readonly output: string;
  make(root: string): void | Promise<void>;
}

const FOLDER = 'dist/stamps';

/** @returns whether there was anything to do. @throws what the step throws; it runs again next time */
export async function bringUpToDate(root: string, step: Step): Promise<boolean> {
  const stamp = join(root, FOLDER, step.name);
  const inputs = checksum(root, step.inputs);
  const whole = () => `${inputs}\n${checksum(root, [`${step.output}/**`])}\n`;
  if (contentOf(stamp) === whole()) return false;
  rmSync(stamp, { force: true });
  await step.make(root);
  mkdirSync(dirname(stamp), { recursive: true });
  const draft = `${stamp}.${process.pid}`;
  writeFileSync(draft, whole());
  renameSync(draft, stamp);
  return true;
}

/** Of the names and contents of all files that fit. */
function checksum(root: string, patterns: readonly string[]): string {
  const all = createHash('sha256');
  const files = patterns.flatMap(pattern => globSync(pattern, { cwd: root }));
  for (const file of [...new Set(files)].sort()) {
    const path = join(root, file);
    if (!statSync(path).isFile()) continue;
    const one = createHash('sha256').update(readFileSync(path)).digest('hex');
    all.update(`${JSON.stringify(file)} ${one}\n`);
  }
  return all.digest('hex');
}

/** Null where there is none that can be read. */
function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
