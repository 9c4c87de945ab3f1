/**
 * Builds what the program needs besides `npm ci`, the parts: the matching core, the SDK packages, the portal's pages
 * and the encoder's files. Steps that are up to date are skipped, and write nothing to stdout. Then the executable,
 * and a release of all of them if it is asked for. Held by test/build.
 *
 * Use: node src/build/main.ts [--serve] [parts|core|sdk|portal|encoder|executable|release]…   by default executable
 * --serve: first checks whether `serve` would fail because of its settings or another server on the same data.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bringUpToDate } from './stamp.ts';
import { makeEncoder, STEPS } from './steps.ts';

const ROOT = join(import.meta.dirname, '../..');
const ENCODER = 'encoder';
const PARTS = [...STEPS.map(({ name }) => name), ENCODER];
/** Programs of their own, each made of what stands before it. */
const WHOLE = ['executable', 'release'];

const { values, positionals } = parseArgs({
  options: { serve: { type: 'boolean' } },
  allowPositionals: true,
});
const known = ['parts', ...PARTS, ...WHOLE];
const unknown = positionals.find(name => !known.includes(name));
if (unknown !== undefined) stop(`there is no step ${unknown}, only ${known.join(', ')}`, 2);
if (values.serve) {
  // Loaded late: other builds do not need the service.
  const { refusalOfServe } = await import('./refusal.ts');
  const refusal = refusalOfServe(process.env);
  for (const line of refusal?.warnings ?? []) console.error(`face-sign-in: warning: ${line}`);
  if (refusal) stop(refusal.line, refusal.exitCode);
}
const asked = positionals.length > 0 ? positionals : ['executable'];
const last = Math.max(...asked.map(name => WHOLE.indexOf(name)));
const wanted = last >= 0 || asked.includes('parts') ? PARTS : asked;
try {
  for (const step of STEPS)
    if (wanted.includes(step.name) && (await bringUpToDate(ROOT, step)))
      console.error(`built ${step.output}`);
  if (wanted.includes(ENCODER)) makeEncoder(ROOT);
  for (const name of WHOLE.slice(0, last + 1)) {
    const { status } = spawnSync(process.execPath, [join(ROOT, `src/${name}/main.ts`)], { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
} catch (error) {
  stop(`the build failed: ${(error as Error).message}`, 1);
}

function stop(line: string, exitCode: number): never {
  console.error(`face-sign-in: ${line}`);
  process.exit(exitCode);
}
