/** The line that refuses settings, for tests of the configuration. */
import * as assert from 'uvu/assert';
import { type Environment, loadConfig } from '../../src/config.ts';
import { SettingFault } from '../../src/settings/values.ts';

export function settingFault(env: Environment): string {
  try {
    loadConfig(env);
  } catch (error) {
    assert.instance(error, SettingFault, JSON.stringify(env));
    return (error as Error).message;
  }
  throw new Error(`accepted ${JSON.stringify(env)}`);
}
