/**
 * All settings, one row each: field of `Config`, reader with limits, default, example for error messages, and meaning.
 * The type `Config`, `help settings` and the check for misspelt names are derived from these rows. Held by
 * test/settings/config.test.ts and test/repo/settings.test.ts.
 */
import { availableParallelism, hostname, totalmem } from 'node:os';
import { BUILT_IN_PLANS } from '../domain/plans.ts';
import { DEFAULT_THRESHOLD } from '../domain/scores/threshold.ts';
import { DATABASE_EXAMPLE, databaseAddress, defaultDatabase, inFile } from './database.ts';
import { folder } from './folder.ts';
import { LIMITS } from './limits.ts';
import { mailAddress, mailSender } from './mail.ts';
import { readPlans } from './plans-file.ts';
import { type Setting, setting } from './setting.ts';
import {
  baseUrl,
  bearerToken,
  flag,
  integer,
  MB,
  megabytes,
  networks,
  number,
  oneOf,
  origin,
  secret,
  text,
} from './values.ts';

const unset = { shown: 'unset', value: () => null };

export const SETTINGS = {
  SETTINGS_FILE: setting({
    field: 'settingsFile',
    read: text,
    default: unset,
    meaning:
      'file of settings, one `NAME=value` per line, for the service and its commands; the environment overrides it',
  }),
  DATA_DIR: setting({
    field: 'dataDir',
    read: folder,
    default: './data',
    meaning: 'folder of the database, the master secret and development mail',
  }),
  DATABASE_URL: setting({
    field: 'database',
    read: databaseAddress,
    default: {
      shown: 'unset: `face-sign-in.db` in DATA_DIR',
      value: dataDir => inFile(defaultDatabase(dataDir)),
    },
    example: DATABASE_EXAMPLE,
    meaning:
      '`sqlite:PATH`, or `postgres://USER:PASSWORD@HOST[,HOST2…]:PORT/NAME?sslmode=…` for several nodes on one PostgreSQL 15 or newer; `sslmode` is `disable`, `require` or `verify-full`; add `&sslrootcert=FILE` to `verify-full` if your own authority signed the certificate',
  }),
  DATABASE_POOL: setting({
    field: 'databasePool',
    read: integer(1, 500),
    default: '16',
    meaning: 'connections of a node to PostgreSQL at most',
  }),
  NODE_NAME: setting({
    field: 'nodeName',
    read: text,
    default: { shown: 'the name of the host', value: () => hostname() },
    example: 'face-1',
    meaning: 'name of this node among several, in health and metrics (`node_name`)',
  }),
  HOST: setting({
    field: 'host',
    read: text,
    default: '127.0.0.1',
    meaning: 'address that the API listens on',
  }),
  PORT: setting({
    field: 'port',
    read: integer(0, 65_535),
    default: '8080',
    meaning: 'port of the API; `0` uses a free port, which the log line `listening` and the summary show',
  }),
  PORTAL_HOST: setting({
    field: 'portalHost',
    read: text,
    default: '127.0.0.1',
    meaning: 'address of the portal for operators; never make it reachable from the internet',
  }),
  PORTAL_PORT: setting({
    field: 'portalPort',
    read: integer(0, 65_535),
    default: '8081',
    meaning: 'port of the portal; `0` uses a free port',
  }),
  PORTAL_URL: setting({
    field: 'portalUrl',
    read: origin,
    default: { shown: '`http://localhost:PORTAL_PORT`', value: () => null },
    example: 'https://portal.example',
    meaning:
      'address at which operators open the portal, which their passkeys belong to; required, and https, if PORTAL_HOST is not a loopback address',
  }),
  PORTAL_TRUST_PROXY: setting({
    field: 'portalTrustProxy',
    read: integer(0, 20),
    default: '0',
    example: '1',
    meaning: 'number of proxies in front of the portal whose `X-Forwarded-For` is trusted',
  }),
  METRICS_TOKEN: setting({
    field: 'metricsToken',
    read: bearerToken,
    default: unset,
    meaning:
      'bearer token for `/metrics`, `/health` and `/docs` of a portal that others can reach (PORTAL_HOST is no loopback address, PORTAL_URL is https, or PORTAL_TRUST_PROXY is set); without it they need a session there',
  }),
  BASE_URL: setting({
    field: 'baseUrl',
    read: baseUrl,
    default: { shown: '`http://HOST:PORT`', value: () => null },
    example: 'https://face.example',
    meaning: 'public address of the API and issuer of its tokens; required if HOST is not a loopback address',
  }),
  MASTER_SECRET: setting({
    field: 'masterSecret',
    read: secret,
    default: { shown: 'file `master.key` in DATA_DIR', value: () => null },
    meaning: '32 bytes in base64url, which protect the keys of templates, personal fields and signing keys',
  }),
  TRUST_PROXY: setting({
    field: 'trustProxy',
    read: integer(0, 20),
    default: '0',
    example: '1',
    meaning: 'number of proxies in front whose `X-Forwarded-For` is trusted',
  }),
  MAIL_URL: setting({
    field: 'mail',
    read: mailAddress,
    default: unset,
    meaning:
      'how email is sent: `smtp://USER:PASSWORD@HOST:PORT` (requires STARTTLS except on loopback; `?requireTLS=false` turns that off), `smtps://…` (both: `?name=` is the name of this machine in EHLO, by default the host of BASE_URL), `https://…` or `http://…` (JSON by POST), or `file:FOLDER` for development (one JSON file per message; a relative folder is in DATA_DIR)',
  }),
  MAIL_FROM: setting({
    field: 'mailFrom',
    read: mailSender,
    default: unset,
    example: 'no-reply@face.example',
    meaning:
      'sender of emails, `Name <address>` or an address; a name with `:`, `;`, `,` or parentheses in quotation marks; unset: `no-reply@` the host of BASE_URL',
  }),
  MAIL_ANSWER_MS: setting({
    field: 'mailAnswerMs',
    read: integer(0, 60_000),
    default: '1000',
    // A response as soon as the mail is sent would show whether the address is registered.
    meaning:
      'milliseconds after which live requests for email codes are answered, whether or not the address is registered',
  }),
  WEBHOOK_ALLOW: setting({
    field: 'webhookAllow',
    read: networks,
    default: { shown: 'none', value: () => [] as readonly string[] },
    example: '10.1.0.0/16,fd12:3456::/32',
    meaning:
      'networks that webhooks may reach although they are not public, separated by commas, also by http; this machine is allowed too if HOST is a loopback address',
  }),
  MATCH_THRESHOLD: setting({
    field: 'matchThreshold',
    read: number(0.01, 2),
    default: String(DEFAULT_THRESHOLD),
    meaning: 'cosine distance below which a face matches; above 0.6, MATCH_THRESHOLD_UNSAFE must be `yes`',
  }),
  MATCH_THRESHOLD_UNSAFE: setting({
    field: 'isUnsafeThresholdAllowed',
    read: flag(['no', 'yes'], 'yes'),
    default: 'no',
    meaning:
      '`yes` allows a MATCH_THRESHOLD above 0.6, where strangers match: only for experiments, never for live users',
  }),
  MATCH_MARGIN: setting({
    field: 'matchMargin',
    // Without a margin, chance decides ties. With a large one nobody matches, and strangers could lock users out.
    read: number(0.01, 0.5),
    default: '0.04',
    meaning: 'how much closer the best user must be than any other',
  }),
  MATCH_MEMORY_MB: setting({
    field: 'matchMemoryBytes',
    read: megabytes(1, 1_000_000),
    default: {
      shown: "a quarter of the machine's",
      value: () => Math.floor(totalmem() / 4 / MB) * MB,
    },
    example: '2048',
    meaning:
      'memory for loaded galleries; beyond it, the least recently used are unloaded, and reloaded on use',
  }),
  MATCH_THREADS: setting({
    field: 'matchThreads',
    read: integer(1, 256),
    default: { shown: 'cores - 1, at least 1', value: () => Math.max(1, availableParallelism() - 1) },
    example: '1',
    meaning: 'matching workers',
  }),
  ...LIMITS,
  SIGNING_KEY_DAYS: setting({
    field: 'signingKeyDays',
    read: integer(2, 36_500),
    default: '30',
    meaning: 'age in days at which the signing key is replaced',
  }),
  CLOCK_LEAP_DAYS: setting({
    field: 'clockLeapDays',
    read: integer(0, 36_500),
    default: '30',
    meaning:
      'a clock that shows more days than this after the last time the service knew is not believed: nothing is deleted for its age until `clock accept`; 0: always believed',
  }),
  PLANS_FILE: setting({
    field: 'plans',
    read: readPlans,
    default: { shown: 'built in', value: () => BUILT_IN_PLANS },
    meaning:
      'JSON file of plans that replaces the built-in ones. New apps get `free`. An app whose plan is missing gets the limits of the smallest plan, and the start warns of it: `{"free": {"monthly_auths": 1000, "live_keys": 3, "test_keys": 3}, "gold": {"monthly_auths": null, "live_keys": 50, "test_keys": 50}}`',
  }),
  DEMO: setting({
    field: 'demo',
    read: flag(['on', 'off'], 'on'),
    default: { shown: '`on` for `npm start`, else `off`', value: () => false },
    meaning:
      'create a demo app with test keys in an empty database; refused if PORTAL_HOST is not a loopback address',
  }),
  LOG_LEVEL: setting({
    field: 'logLevel',
    read: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
    default: 'info',
    meaning: 'least severe level that is logged, as JSON lines on stdout',
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** The values of the settings, by field. */
export type SettingValues = {
  readonly [Name in SettingName as (typeof SETTINGS)[Name]['field']]: (typeof SETTINGS)[Name] extends Setting<
    string,
    infer Value
  >
    ? Value
    : never;
};
