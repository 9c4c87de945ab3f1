/**
 * Runs a build step only if it is not up to date. A stamp keeps one checksum of all inputs and one of all outputs, by
 * content, because file times mean nothing after a checkout. The stamp is deleted before the step and written after it,
 * so an interrupted build runs again. Held by test/build/steps.test.ts.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Step {
  readonly name: string;
  /** Patterns of paths in the project. */
  readonly inputs: readonly string[];
  /** The folder that it writes. Everything in it belongs to this step. */
  readonly output: string;
  make(root: string): void | Promise<void>;
}

const FOLDER = 'dist/stamps';

/** @returns whether the step ran. @throws what the step throws; it runs again next time */
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

/** Checksum of the names and contents of all matching files. */
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

/** Null if the file cannot be read. */
function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
