/**
 * Every setting of the service, once: name, default, reason, limits. Read from the environment at start; a wrong one
 * stops the start with one line. The table in src/settings/README.md is generated from here (`npm run docs:settings`), and
 * test/repo/settings.test.ts holds it fresh.
 */
import { availableParallelism, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { BUILT_IN_PLANS, type Plans } from './domain/plans.ts';
import { DEFAULT_THRESHOLD, HIGHEST_SAFE_THRESHOLD } from './domain/scores/threshold.ts';
import { databasePath, defaultDatabase } from './settings/database.ts';
import { type MailAddress, mailAddress, mailSender } from './settings/mail.ts';
import { misspelt } from './settings/misspelt.ts';
import { readPlans } from './settings/plans-file.ts';
import { readSettingsFile } from './settings/settings-file.ts';
import { baseUrl, integer, isLoopback, number, oneOf, SettingFault, secret } from './settings/values.ts';

interface Setting {
  /** As the table shows it; the value itself is worked out in `loadConfig`. */
  readonly default: string;
  readonly meaning: string;
}

export const SETTINGS = {
  SETTINGS_FILE: {
    default: 'unset',
    meaning:
      'file of settings, a line each, `NAME=value`, for the service and its commands alike; the environment wins over it',
  },
  DATA_DIR: {
    default: '`./data`',
    meaning: 'folder of the database, the master secret and development mail',
  },
  DATABASE_URL: {
    default: 'unset: `face-sign-in.db` in DATA_DIR',
    meaning: '`sqlite:PATH`; `postgres://…` is not supported yet and stops the start',
  },
  HOST: { default: '`127.0.0.1`', meaning: 'address that the API listens on' },
  PORT: {
    default: '`8080`',
    meaning: 'port of the API; `0` takes a free one, which the log line `listening` and the summary name',
  },
  PORTAL_HOST: {
    default: '`127.0.0.1`',
    meaning: 'address of the portal for operators, never to be reachable from the internet',
  },
  PORTAL_PORT: { default: '`8081`', meaning: 'port of the portal; `0` takes a free one' },
  BASE_URL: {
    default: '`http://HOST:PORT`',
    meaning:
      'public address of the API and issuer of its tokens; required when HOST is not a loopback address',
  },
  MASTER_SECRET: {
    default: 'file `master.key` in DATA_DIR',
    meaning: '32 bytes in base64url that seal templates and signing keys',
  },
  TRUST_PROXY: {
    default: '`0`',
    meaning: 'number of trusted proxies in front, whose `X-Forwarded-For` is believed',
  },
  MAIL_URL: {
    default: 'unset',
    meaning:
      'how email goes out: `smtp://USER:PASSWORD@HOST:PORT` (requires STARTTLS beyond loopback; `?requireTLS=false` turns that off), `smtps://…`, `https://…` or `http://…` (JSON by POST), or `file:FOLDER` for development (a JSON file a message; a folder that is not absolute is in DATA_DIR)',
  },
  MAIL_FROM: {
    default: 'unset',
    meaning: 'sender of the emails, `Name <address>` or an address; unset: `no-reply@` the host of BASE_URL',
  },
  MAIL_ANSWER_MS: {
    default: '`1000`',
    meaning: 'when live requests for email codes are answered, in milliseconds, whoever they are for',
  },
  MATCH_THRESHOLD: {
    default: '`0.35`',
    meaning: 'cosine distance below which a face matches; above 0.6 MATCH_THRESHOLD_UNSAFE must be `yes`',
  },
  MATCH_THRESHOLD_UNSAFE: {
    default: '`no`',
    meaning:
      '`yes` allows a MATCH_THRESHOLD above 0.6, where strangers match: for experiments, never for live users',
  },
  MATCH_MARGIN: {
    default: '`0.04`',
    meaning: 'how much nearer the best user must be than any other, from 0.01 to 0.5',
  },
  MATCH_MEMORY_MB: {
    default: "a quarter of the machine's",
    meaning:
      'memory for loaded galleries; beyond it the least recently used are dropped, and come back on use',
  },
  MATCH_THREADS: { default: 'cores - 1, at least 1', meaning: 'matching workers' },
  LIMIT_IP_PER_MINUTE: {
    default: '`30`',
    meaning: 'challenge, enroll and match requests of one address in a minute; `0` switches a limit off',
  },
  LIMIT_APP_PER_MINUTE: { default: '`600`', meaning: 'match and email-code requests of one app in a minute' },
  LIMIT_SECRET_KEY_PER_MINUTE: { default: '`600`', meaning: 'requests with one secret key in a minute' },
  LIMIT_ME_PER_MINUTE: { default: '`60`', meaning: 'requests of one user under `/v1/me` in a minute' },
  LIMIT_CODE_PER_IP: {
    default: '`10`',
    meaning: 'requests for email codes and changes of address of one address within 15 minutes',
  },
  LIMIT_VERIFY_PER_IP: {
    default: '`20`',
    meaning: 'tries of email codes, those of changes too, of one address within 15 minutes',
  },
  LIMIT_FAILED_MATCHES: {
    default: '`10`',
    meaning: 'failed matches of one address in one app within 15 minutes',
  },
  LIMIT_ENROLL_PER_IP: {
    default: '`20`',
    meaning: 'enrolls of one address in one app within 15 minutes, whatever their answer',
  },
  LIMIT_CODE_PER_IP_DAY: {
    default: '`30`',
    meaning: 'requests for email codes and changes of address of one address on a day (UTC)',
  },
  LIMIT_USER_FAILURES_DAY: {
    default: '`20`',
    meaning: 'wrong codes and failed matches of one user within 24 hours, beside the 5 in 15 minutes',
  },
  LIMIT_MATCHES_PER_USER: { default: '`60`', meaning: 'successful matches of one user within an hour' },
  SIGNING_KEY_DAYS: {
    default: '`30`',
    meaning: 'age in days at which the signing key is replaced; at least 2',
  },
  PLANS_FILE: {
    default: 'built in',
    meaning:
      'JSON file of plans, in place of the built-in ones; new apps get `free`, and an app whose plan it lacks is held to the smallest, of which the start warns: `{"free": {"monthly_auths": 1000, "live_keys": 3, "test_keys": 3}, "gold": {"monthly_auths": null, "live_keys": 50, "test_keys": 50}}`',
  },
  DEMO: {
    default: '`on` for `npm start`, else `off`',
    meaning:
      'make a demo app with test keys on an empty database; refused when PORTAL_HOST is not a loopback address',
  },
  LOG_LEVEL: {
    default: '`info`',
    meaning: '`fatal`, `error`, `warn`, `info`, `debug` or `silent`; JSON lines on stdout',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
export type Environment = { readonly [name: string]: string | undefined };

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
const MB = 1024 * 1024;

export interface Config {
  readonly dataDir: string;
  readonly databasePath: string;
  readonly host: string;
  readonly port: number;
  readonly portalHost: string;
  readonly portalPort: number;
  /** Null: `http://HOST:PORT`, known when the port is. */
  readonly baseUrl: string | null;
  readonly masterSecret: Buffer | null;
  readonly masterSecretFile: string;
  readonly erasuresFile: string;
  readonly trustProxy: number;
  readonly mail: MailAddress | null;
  readonly mailFrom: string | null;
  readonly mailAnswerMs: number;
  readonly matchThreshold: number;
  readonly matchMargin: number;
  readonly matchMemoryBytes: number;
  readonly matchThreads: number;
  readonly limitIpPerMinute: number;
  readonly limitAppPerMinute: number;
  readonly limitSecretKeyPerMinute: number;
  readonly limitFailedMatches: number;
  readonly limitMePerMinute: number;
  readonly limitCodePerIp: number;
  readonly limitVerifyPerIp: number;
  readonly limitMatchesPerUser: number;
  readonly limitEnrollPerIp: number;
  readonly limitCodePerIpDay: number;
  readonly limitUserFailuresDay: number;
  readonly signingKeyDays: number;
  readonly plans: Plans;
  readonly demo: boolean;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** What the file of settings says, beneath what the environment says itself. */
function withFile(env: Environment): Environment {
  const { SETTINGS_FILE: path } = env;
  if (path === undefined || path === '') return env;
  const known = Object.keys(SETTINGS).filter(name => name !== 'SETTINGS_FILE');
  return { ...readSettingsFile('SETTINGS_FILE', path, known), ...env };
}

/** A line for each name in the environment that looks like a misspelt setting. */
export const settingWarnings = (env: Environment) => misspelt(env, Object.keys(SETTINGS));

/** @throws SettingFault naming the setting, its value's fault and an example */
export function loadConfig(given: Environment): Config {
  const env = withFile(given);
  const read = <Value>(
    name: SettingName,
    parse: (name: string, text: string) => Value,
    otherwise: Value,
  ): Value => {
    const text = env[name];
    return text === undefined || text === '' ? otherwise : parse(name, text);
  };
  const asIs = (_: string, text: string) => text;
  const count = (name: SettingName, otherwise: number) =>
    read(name, integer(0, 1_000_000_000, String(otherwise)), otherwise);

  const dataDir = resolve(read('DATA_DIR', asIs, './data'));
  const host = read('HOST', asIs, '127.0.0.1');
  const config: Config = {
    dataDir,
    databasePath: read('DATABASE_URL', databasePath, defaultDatabase(dataDir)),
    host,
    port: read('PORT', integer(0, 65_535, '8080'), 8080),
    portalHost: read('PORTAL_HOST', asIs, '127.0.0.1'),
    portalPort: read('PORTAL_PORT', integer(0, 65_535, '8081'), 8081),
    baseUrl: read('BASE_URL', baseUrl, null),
    masterSecret: read('MASTER_SECRET', secret, null),
    masterSecretFile: join(dataDir, 'master.key'),
    erasuresFile: join(dataDir, 'erasures.jsonl'),
    trustProxy: read('TRUST_PROXY', integer(0, 20, '1'), 0),
    mail: read('MAIL_URL', mailAddress(dataDir), null),
    mailFrom: read('MAIL_FROM', mailSender, null),
    mailAnswerMs: read('MAIL_ANSWER_MS', integer(0, 60_000, '1000'), 1_000),
    matchThreshold: read('MATCH_THRESHOLD', number(0.01, 2, String(DEFAULT_THRESHOLD)), DEFAULT_THRESHOLD),
    // Without a margin a tie is decided by chance; with a large one nobody matches, and strangers lock users out.
    matchMargin: read('MATCH_MARGIN', number(0.01, 0.5, '0.04'), 0.04),
    matchMemoryBytes:
      read('MATCH_MEMORY_MB', integer(1, 1_000_000, '2048'), Math.floor(totalmem() / 4 / MB)) * MB,
    matchThreads: read('MATCH_THREADS', integer(1, 256, '1'), Math.max(1, availableParallelism() - 1)),
    limitIpPerMinute: count('LIMIT_IP_PER_MINUTE', 30),
    limitAppPerMinute: count('LIMIT_APP_PER_MINUTE', 600),
    limitSecretKeyPerMinute: count('LIMIT_SECRET_KEY_PER_MINUTE', 600),
    limitFailedMatches: count('LIMIT_FAILED_MATCHES', 10),
    limitMePerMinute: count('LIMIT_ME_PER_MINUTE', 60),
    limitCodePerIp: count('LIMIT_CODE_PER_IP', 10),
    limitVerifyPerIp: count('LIMIT_VERIFY_PER_IP', 20),
    limitEnrollPerIp: count('LIMIT_ENROLL_PER_IP', 20),
    limitCodePerIpDay: count('LIMIT_CODE_PER_IP_DAY', 30),
    limitUserFailuresDay: count('LIMIT_USER_FAILURES_DAY', 20),
    limitMatchesPerUser: count('LIMIT_MATCHES_PER_USER', 60),
    signingKeyDays: read('SIGNING_KEY_DAYS', integer(2, 36_500, '30'), 30),
    plans: read('PLANS_FILE', readPlans, BUILT_IN_PLANS),
    demo: read('DEMO', oneOf(['on', 'off'] as const), 'off') === 'on',
    logLevel: read('LOG_LEVEL', oneOf(LOG_LEVELS), 'info'),
  };
  const isUnsafeAllowed = read('MATCH_THRESHOLD_UNSAFE', oneOf(['no', 'yes']), 'no') === 'yes';
  if (config.matchThreshold > HIGHEST_SAFE_THRESHOLD && !isUnsafeAllowed) {
    throw new SettingFault(
      'MATCH_THRESHOLD',
      `is ${config.matchThreshold}, above ${HIGHEST_SAFE_THRESHOLD}: strangers would sign in as your users (set MATCH_THRESHOLD_UNSAFE=yes to run an experiment anyway)`,
      String(DEFAULT_THRESHOLD),
    );
  }
  if (config.demo && !isLoopback(config.portalHost)) {
    throw new SettingFault(
      'DEMO',
      `must be off when PORTAL_HOST is ${JSON.stringify(config.portalHost)}: others could sign in to the demo app from there`,
      'off',
    );
  }
  if (config.baseUrl === null && !isLoopback(config.host)) {
    throw new SettingFault(
      'BASE_URL',
      `is required when HOST is ${JSON.stringify(host)}: it is the address that callers use`,
      'https://face.example',
    );
  }
  if (config.port !== 0 && config.port === config.portalPort) {
    throw new SettingFault(
      'PORTAL_PORT',
      `is ${config.port}, and so is PORT: the API and the portal need a port each`,
      config.port === 8081 ? '8082' : '8081',
    );
  }
  return config;
}
