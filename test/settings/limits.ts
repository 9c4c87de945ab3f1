/**
 * The limits among the settings. Each is a field of the same name in camel case. test/repo/settings.test.ts states their
 * defaults. Used by config.test.ts.
 */
import { type Config, SETTINGS, type SettingName } from '../../src/config.ts';

type LimitName = Extract<SettingName, `LIMIT_${string}`>;

const NAMES = Object.keys(SETTINGS).filter(name => name.startsWith('LIMIT_')) as LimitName[];
const fieldOf = (name: LimitName) =>
  name.toLowerCase().replace(/_(.)/g, (_, first: string) => first.toUpperCase()) as keyof Config;

export const LIMIT_DEFAULTS = Object.fromEntries(
  NAMES.map(name => [fieldOf(name), Number(SETTINGS[name].default)]),
);

/** Something for each limit. */
export function byLimit<Row>(make: (key: keyof Config) => Row): Record<LimitName, Row> {
  const rows = NAMES.map(name => [name, make(fieldOf(name))]);
  return Object.fromEntries(rows);
}
