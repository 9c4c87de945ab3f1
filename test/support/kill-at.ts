/**
 * Ends its process by SIGKILL just before the nth thing that would reach the disk: a program started with
 * `--import` of this file and KILL_AT=n dies there, as at a loss of power between two steps. Each write, rename, link,
 * removal and wait for the disk counts; without KILL_AT, and beyond the last step, the program runs to its end.
 *
 * With STATES_OF and STATES_TO it dies at none, and copies the first folder into a numbered one of the second before each: what
 * a kill there would have left, for the price of one run.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const STEPS = ['writeSync', 'fsyncSync', 'linkSync', 'renameSync', 'rmSync', 'fdatasync', 'write'] as const;
const at = Number(process.env.KILL_AT ?? Number.POSITIVE_INFINITY);
const { STATES_OF: of, STATES_TO: to } = process.env;
let count = 0;
let isCopying = false;

function step(): void {
  if (++count === at) process.kill(process.pid, 'SIGKILL');
  if (!of || !to || !fs.existsSync(of)) return;
  isCopying = true;
  fs.cpSync(of, join(to, String(count)), { recursive: true });
  isCopying = false;
}

const patched = fs as unknown as Record<string, (...given: unknown[]) => unknown>;
for (const name of STEPS) {
  const real = patched[name] as (...given: unknown[]) => unknown;
  patched[name] = (...given) => {
    // What a program prints reaches no disk.
    if (!isCopying && !(typeof given[0] === 'number' && given[0] <= 2)) step();
    return real.apply(fs, given);
  };
}
syncBuiltinESMExports();
