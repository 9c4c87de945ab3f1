/** Finds faults that would stop `serve` at once, before a build in vain. Held by test/build/npm-start.long.test.ts. */
import { existsSync } from 'node:fs';
import { type Exit, exitOf } from '../cli/error-lines.ts';
import { type Environment, loadConfig, settingWarnings } from '../config.ts';
import { takeInstance } from '../service/instance.ts';

/** Null: no fault found. A fault comes with the warnings that `serve` would print. Creates no data folder. */
export function refusalOfServe(env: Environment): (Exit & { warnings: string[] }) | null {
  try {
    const config = loadConfig(env);
    if (existsSync(config.dataDir)) takeInstance(config)();
    return null;
  } catch (error) {
    return { ...exitOf(error), warnings: settingWarnings(env) };
  }
}
