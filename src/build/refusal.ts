/** What `serve` would refuse at once, asked before a build that would be in vain. Held by test/repo/npm-start.long.test.ts. */
import { existsSync } from 'node:fs';
import { type Fault, faultOf } from '../cli/fault.ts';
import { type Environment, loadConfig, settingWarnings } from '../config.ts';
import { takeInstance } from '../service/instance.ts';

/** Makes no data folder. Null: nothing is known against it. A fault comes with what `serve` would have warned of. */
export function refusalOfServe(env: Environment): (Fault & { warnings: string[] }) | null {
  try {
    const config = loadConfig(env);
    if (existsSync(config.dataDir)) takeInstance(config)();
    return null;
  } catch (error) {
    return { ...faultOf(error), warnings: settingWarnings(env) };
  }
}
