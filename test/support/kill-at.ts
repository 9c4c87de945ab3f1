/**
 * Ends its process by SIGKILL just before the nth thing that would reach the disk: a program started with
 * `--import` of this file and KILL_AT=n dies there, as at a loss of power between two steps. Each write, rename, link,
 * removal and wait for the disk counts; without KILL_AT, and beyond the last step, the program runs to its end.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const STEPS = ['writeSync', 'fsyncSync', 'linkSync', 'renameSync', 'rmSync', 'fdatasync', 'write'] as const;
const at = Number(process.env.KILL_AT ?? Number.POSITIVE_INFINITY);
let count = 0;

const patched = fs as unknown as Record<string, (...given: unknown[]) => unknown>;
for (const name of STEPS) {
  const real = patched[name] as (...given: unknown[]) => unknown;
  patched[name] = (...given) => {
    // What a program prints reaches no disk.
    if (!(typeof given[0] === 'number' && given[0] <= 2) && ++count === at)
      process.kill(process.pid, 'SIGKILL');
    return real.apply(fs, given);
  };
}
syncBuiltinESMExports();
