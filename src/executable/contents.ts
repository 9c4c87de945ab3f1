/**
 * What is packed into the single executable besides the program itself: every file that the service reads by its path
 * (src/assets.ts), and its threads. Left out, because an operator's machine is not where they are used: the face encoder
 * and its models (the page to try the service says so), the packages for integrators but for what that page needs.
 * Held by test/repo/assets.test.ts.
 */
import { globSync } from 'node:fs';

/** Files, by patterns of paths in the project. */
const FILES = [
  'src/adapters/sql/migrations/*.sql',
  'src/encoder/*.txt',
  'src/portal/page.html',
  'src/portal/try/page/*.{html,css,js}',
  'dist/core/*.wasm',
  'dist/sdk/browser/*.js',
  'dist/sdk/browser/chunks/*.js',
];

/** Entries of threads: each becomes one script. */
export const THREADS = [
  'src/adapters/sqlite/compaction-worker.ts',
  'src/adapters/sqlite/reader/thread.ts',
  'src/adapters/wasm/worker.ts',
] as const;

/** @throws Error when nothing fits a pattern: then a step of the build was left out */
export function packedFiles(root: string): string[] {
  return FILES.flatMap(pattern => {
    const found = globSync(pattern, { cwd: root }).sort();
    if (found.length === 0) throw new Error(`there is no ${pattern}: run npm run build`);
    return found;
  });
}
