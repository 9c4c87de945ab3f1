/** The limits among the settings: by what name the service knows each, and its default. Used by config.test.ts. */
import type { Config, SettingName } from '../../src/config.ts';

type LimitName = Extract<SettingName, `LIMIT_${string}`>;

const LIMITS: Record<LimitName, readonly [keyof Config, number]> = {
  LIMIT_ME_PER_MINUTE: ['limitMePerMinute', 60],
  LIMIT_CODE_PER_IP: ['limitCodePerIp', 10],
  LIMIT_VERIFY_PER_IP: ['limitVerifyPerIp', 20],
  LIMIT_MATCHES_PER_USER: ['limitMatchesPerUser', 60],
  LIMIT_ENROLL_PER_IP: ['limitEnrollPerIp', 20],
  LIMIT_CODE_PER_IP_DAY: ['limitCodePerIpDay', 30],
  LIMIT_USER_FAILURES_DAY: ['limitUserFailuresDay', 20],
  LIMIT_IP_PER_MINUTE: ['limitIpPerMinute', 30],
  LIMIT_APP_PER_MINUTE: ['limitAppPerMinute', 600],
  LIMIT_SECRET_KEY_PER_MINUTE: ['limitSecretKeyPerMinute', 600],
  LIMIT_FAILED_MATCHES: ['limitFailedMatches', 10],
};

export const LIMIT_DEFAULTS = Object.fromEntries(Object.values(LIMITS));

/** Something for each limit. */
export function byLimit<Row>(make: (key: keyof Config) => Row): Record<LimitName, Row> {
  const rows = Object.entries(LIMITS).map(([name, [key]]) => [name, make(key)]);
  return Object.fromEntries(rows);
}
