/**
 * Reads all settings of settings/table.ts from the environment at the start. A wrong one stops the start with one line.
 * Held by test/settings/config.test.ts.
 */
import { join } from 'node:path';
import { misspelt } from './settings/misspelt.ts';
import { requireRules } from './settings/rules.ts';
import { requireBare, settingValue } from './settings/setting.ts';
import { readSettingsFile } from './settings/settings-file.ts';
import { SETTINGS, type SettingName, type SettingValues } from './settings/table.ts';

export { SETTINGS, type SettingName } from './settings/table.ts';

export type Environment = { readonly [name: string]: string | undefined };

/** All settings by field, and the files in DATA_DIR. */
export interface Config extends SettingValues {
  readonly masterSecretFile: string;
  readonly erasuresFile: string;
}

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** One line per name in the environment that looks like a misspelt setting. */
export const settingWarnings = (env: Environment) => misspelt(env, NAMES);

/** @throws SettingFault naming the setting, the fault and an example */
export function loadConfig(given: Environment): Config {
  const env = withFile(given);
  const dataDir = settingValue('DATA_DIR', SETTINGS.DATA_DIR, env.DATA_DIR, '');
  const values = Object.fromEntries(
    NAMES.map(name => [
      SETTINGS[name].field,
      settingValue<unknown>(name, SETTINGS[name], env[name], dataDir),
    ]),
  ) as unknown as SettingValues;
  requireRules(values);
  return {
    ...values,
    masterSecretFile: join(dataDir, 'master.key'),
    erasuresFile: join(dataDir, 'erasures.jsonl'),
  };
}

/** Adds the settings of SETTINGS_FILE. The environment has precedence. */
function withFile(env: Environment): Environment {
  const { SETTINGS_FILE: path } = env;
  if (path === undefined || path === '') return env;
  requireBare('SETTINGS_FILE', path, null);
  const known = NAMES.filter(name => name !== 'SETTINGS_FILE');
  return { ...readSettingsFile('SETTINGS_FILE', path, known), ...env };
}
