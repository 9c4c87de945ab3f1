/**
 * Reads the program's own files by their path in the project: from the disk beside the source, or from the single
 * executable. Nothing else in src/ finds files by the place of its own code, so every file that is read is also packed.
 * Held by test/repo/assets.test.ts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Whether this is the single executable. */
export const IS_PACKED = isSea();

const ROOT = join(import.meta.dirname, '..');
const packed: ReadonlySet<string> = new Set(IS_PACKED ? getAssetKeys() : []);

export function hasAsset(path: string): boolean {
  return IS_PACKED ? packed.has(path) : existsSync(join(ROOT, path));
}

/** Do not write to the buffer: in the executable, these are its own bytes. @throws Error if there is no such file */
export function readAsset(path: string): Buffer<ArrayBuffer> {
  if (!IS_PACKED) return readFileSync(join(ROOT, path));
  if (!packed.has(path)) throw new Error(`${path} is not packed`);
  return Buffer.from(getRawAsset(path) as ArrayBuffer);
}

export function readText(path: string): string {
  return readAsset(path).toString('utf8');
}

/** Sorted names of the files in a folder; none if it does not exist. */
export function assetsIn(folder: string): string[] {
  if (!IS_PACKED) return existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)).sort() : [];
  return [...packed]
    .filter(path => path.startsWith(`${folder}/`))
    .map(path => path.slice(folder.length + 1))
    .filter(name => !name.includes('/'))
    .sort();
}

/** Starts a thread from its entry. In the executable, each entry is bundled into one script. */
export function startThread(entry: string, options: Omit<WorkerOptions, 'eval' | 'execArgv'>): Worker {
  // Threads must not inherit flags of the main script (--input-type, --watch).
  const own = { ...options, execArgv: [] };
  if (!IS_PACKED) return new Worker(pathToFileURL(join(ROOT, entry)), own);
  return new Worker(readText(entry), { ...own, eval: true });
}
