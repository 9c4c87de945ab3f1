/**
 * What the single executable contains besides the program: every file that the service reads by path (src/assets.ts),
 * and its threads. The face encoder and its models are left out (/try says so). Held by test/repo/assets.test.ts.
 */
import { globSync } from 'node:fs';

/** Patterns of paths in the project. */
const FILES = [
  'src/adapters/sql/migrations/*.sql',
  'src/adapters/postgres/migrations/*.sql',
  'src/encoder/*.txt',
  'src/portal/page.html',
  'src/portal/docs/page/*.{html,css,js}',
  'node_modules/swagger-ui-dist/swagger-ui{.css,-bundle.js}',
  'src/portal/try/page/*.{html,css,js}',
  'dist/portal/*.{html,css,js,svg}',
  'dist/portal/chunks/*.js',
  'dist/core/*.wasm',
  'dist/sdk/browser/*.js',
  'dist/sdk/browser/chunks/*.js',
  'dist/sdk/tarballs/*.tgz',
];

/** Entries of threads. Each becomes one script. */
export const THREADS = [
  'src/adapters/sqlite/compaction-worker.ts',
  'src/adapters/wasm/worker.ts',
  'src/adapters/webhooks/thread.ts',
] as const;

/** @throws Error if no file matches a pattern: then a step of the build is missing */
export function packedFiles(root: string): string[] {
  return FILES.flatMap(pattern => {
    const found = globSync(pattern, { cwd: root }).sort();
    if (found.length === 0) throw new Error(`there is no ${pattern}: run npm run build`);
    return found;
  });
}
