/** The settings of rate limits, one row each, as in table.ts. */
import { limit } from './setting.ts';

export const LIMITS = {
  LIMIT_IP_PER_MINUTE: limit(
    'limitIpPerMinute',
    30,
    'challenge, enroll and match requests per minute from one IP address; `0` turns a limit off',
  ),
  LIMIT_APP_PER_MINUTE: limit('limitAppPerMinute', 600, 'matches and code requests per minute of one app'),
  LIMIT_SECRET_KEY_PER_MINUTE: limit('limitSecretKeyPerMinute', 600, 'requests per minute of one secret key'),
  LIMIT_ME_PER_MINUTE: limit('limitMePerMinute', 60, 'requests per minute of one user under `/v1/me`'),
  LIMIT_CODE_PER_IP: limit(
    'limitCodePerIp',
    10,
    'requests for email codes and changes of email address from one IP address within 15 minutes',
  ),
  LIMIT_VERIFY_PER_IP: limit(
    'limitVerifyPerIp',
    20,
    'attempts at email codes, of sign-ins and of changes, from one IP address within 15 minutes',
  ),
  LIMIT_FAILED_MATCHES: limit(
    'limitFailedMatches',
    10,
    'faces from one IP address in one app that were not recognised, or were enrolled already, within 15 minutes',
  ),
  LIMIT_FAILED_FACES_PER_IP_DAY: limit(
    'limitFailedFacesPerIpDay',
    60,
    'faces from one IP address in one app that were not recognised, or were enrolled already, on one day (UTC)',
  ),
  LIMIT_FAILED_FACES_PER_APP_DAY: limit('limitFailedFacesPerAppDay', 2_000, 'the same from all IP addresses'),
  LIMIT_ENROLL_PER_IP: limit(
    'limitEnrollPerIp',
    20,
    'faces in enrolments from one IP address in one app within 15 minutes, successful or not; 6 times as many on one day (UTC)',
  ),
  LIMIT_PLAN_SHARE_PER_IP: limit(
    'limitPlanSharePerIp',
    50,
    'percent of the monthly auths of a plan that one IP address may use on one day (UTC) for enrolments and for matches that sign in nobody; plans from 100 auths on',
  ),
  LIMIT_CODE_PER_IP_DAY: limit(
    'limitCodePerIpDay',
    30,
    'requests for email codes and changes of email address from one IP address on one day (UTC)',
  ),
  LIMIT_USER_FAILURES_DAY: limit(
    'limitUserFailuresDay',
    20,
    'wrong codes and failed matches of one user from one network (/24, /48) within 24 hours, in addition to the 5 in 15 minutes; refused template adds of one user',
  ),
  LIMIT_MATCHES_PER_USER: limit('limitMatchesPerUser', 60, 'successful matches of one user within an hour'),
  LIMIT_PEOPLE_PER_OPERATOR_DAY: limit(
    'limitPeoplePerOperatorDay',
    5_000,
    'users that one operator lists, finds or opens in the portal on one day (UTC)',
  ),
  LIMIT_EXPORTS_PER_OPERATOR: limit(
    'limitExportsPerOperator',
    10,
    'exports of users an hour by one operator',
  ),
} as const;
