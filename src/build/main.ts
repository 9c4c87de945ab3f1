/**
 * Builds what the program needs besides `npm ci`: the matching core, the SDK packages, the portal's pages and the
 * encoder's files. Steps that are up to date are skipped. Never writes to stdout. Held by test/build/steps.test.ts and
 * test/build/npm-start.long.test.ts.
 *
 * Use: node src/build/main.ts [--serve] [core|sdk|portal|encoder]…
 * --serve: first checks whether `serve` would fail because of its settings or another server on the same data.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bringUpToDate } from './stamp.ts';
import { makeEncoder, STEPS } from './steps.ts';

const ROOT = join(import.meta.dirname, '../..');
const ENCODER = 'encoder';
const ALL = [...STEPS.map(({ name }) => name), ENCODER];

const { values, positionals } = parseArgs({
  options: { serve: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = positionals.find(name => !ALL.includes(name));
if (unknown !== undefined) stop(`there is no step ${unknown}, only ${ALL.join(', ')}`, 2);
if (values.serve) {
  // Loaded late: other builds do not need the service.
  const { refusalOfServe } = await import('./refusal.ts');
  const refusal = refusalOfServe(process.env);
  for (const line of refusal?.warnings ?? []) console.error(`face-sign-in: warning: ${line}`);
  if (refusal) stop(refusal.line, refusal.exitCode);
}
const wanted = positionals.length > 0 ? positionals : ALL;
try {
  for (const step of STEPS)
    if (wanted.includes(step.name) && (await bringUpToDate(ROOT, step)))
      console.error(`built ${step.output}`);
  if (wanted.includes(ENCODER)) makeEncoder(ROOT);
} catch (error) {
  stop(`the build failed: ${(error as Error).message}`, 1);
}

function stop(line: string, exitCode: number): never {
  console.error(`face-sign-in: ${line}`);
  process.exit(exitCode);
}
