/**
 * The settings that all nodes on one database need alike: otherwise what a user is told depends on the node that
 * answers. Held by test/settings/shared.test.ts.
 */
import { SETTINGS, type SettingName, type SettingValues } from './table.ts';

const SHARED =
  /^(?:BASE_URL|TRUST_PROXY|MATCH_THRESHOLD|MATCH_MARGIN|LIMIT_\w+|SIGNING_KEY_DAYS|CLOCK_LEAP_DAYS|PLANS_FILE|WEBHOOK_ALLOW)$/;

export const SHARED_SETTINGS = (Object.keys(SETTINGS) as SettingName[]).filter(name => SHARED.test(name));

/** Their values as texts, by name. @param issuer BASE_URL, or the address that stands for it */
export function sharedSettings(settings: SettingValues, issuer: string): Record<string, string> {
  const values = { ...settings, baseUrl: issuer };
  return Object.fromEntries(
    SHARED_SETTINGS.map(name => {
      const value = values[SETTINGS[name].field];
      return [
        name,
        JSON.stringify(value instanceof Map ? [...value].sort(([a], [b]) => (a < b ? -1 : 1)) : value),
      ];
    }),
  );
}
