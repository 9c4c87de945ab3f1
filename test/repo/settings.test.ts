/**
 * The settings: every one of src/settings/table.ts is read, and has the promised default.
 * What a value makes of the configuration: test/settings/config.test.ts.
 */
import * as assert from 'uvu/assert';
import { loadConfig, SETTINGS } from '../../src/config.ts';
import { shownDefault } from '../../src/settings/setting.ts';
import { suite } from '../support/suite.ts';

const test = suite('repo: settings');

/** Setting → the default that is promised to operators. */
const CONTRACT: Record<string, string> = {
  SETTINGS_FILE: 'unset',
  DATA_DIR: './data',
  DATABASE_URL: 'unset: face-sign-in.db in DATA_DIR',
  DATABASE_POOL: '16',
  NODE_NAME: 'the name of the host',
  HOST: '127.0.0.1',
  PORT: '8080',
  PORTAL_HOST: '127.0.0.1',
  PORTAL_PORT: '8081',
  PORTAL_URL: 'http://localhost:PORTAL_PORT',
  PORTAL_TRUST_PROXY: '0',
  METRICS_TOKEN: 'unset',
  BASE_URL: 'http://HOST:PORT',
  MASTER_SECRET: 'file master.key in DATA_DIR',
  TRUST_PROXY: '0',
  MAIL_URL: 'unset',
  MAIL_FROM: 'unset',
  MATCH_THRESHOLD: '0.35',
  MATCH_THRESHOLD_UNSAFE: 'no',
  MATCH_MARGIN: '0.04',
  MATCH_MEMORY_MB: "a quarter of the machine's",
  MATCH_THREADS: 'cores - 1, at least 1',
  LIMIT_IP_PER_MINUTE: '30',
  LIMIT_APP_PER_MINUTE: '600',
  LIMIT_SECRET_KEY_PER_MINUTE: '600',
  LIMIT_ME_PER_MINUTE: '60',
  LIMIT_FAILED_MATCHES: '10',
  LIMIT_FAILED_FACES_PER_IP_DAY: '60',
  LIMIT_FAILED_FACES_PER_APP_DAY: '2000',
  LIMIT_CODE_PER_IP: '10',
  LIMIT_VERIFY_PER_IP: '20',
  LIMIT_MATCHES_PER_USER: '60',
  LIMIT_PEOPLE_PER_OPERATOR_DAY: '5000',
  LIMIT_EXPORTS_PER_OPERATOR: '10',
  LIMIT_ENROLL_PER_IP: '20',
  LIMIT_PLAN_SHARE_PER_IP: '50',
  LIMIT_CODE_PER_IP_DAY: '30',
  LIMIT_USER_FAILURES_DAY: '20',
  MAIL_ANSWER_MS: '1000',
  SIGNING_KEY_DAYS: '30',
  CLOCK_LEAP_DAYS: '30',
  PLANS_FILE: 'built in',
  WEBHOOK_ALLOW: 'none',
  DEMO: 'on for npm start, else off',
  LOG_LEVEL: 'info',
};

test('exactly the settings of the table are read', () => {
  const read = new Set<string>();
  loadConfig(
    new Proxy<Record<string, string>>(
      {},
      {
        get: (_, name) => {
          read.add(String(name));
          return undefined;
        },
      },
    ),
  );
  assert.equal([...read].sort(), Object.keys(SETTINGS).sort());
});

test('every default in the table is that of the contract', () => {
  for (const [name, setting] of Object.entries(SETTINGS))
    assert.is(shownDefault(setting).replaceAll('`', ''), CONTRACT[name], name);
});

test('the built-in plans are those of the contract', () => {
  const plans = Object.fromEntries(loadConfig({}).plans);
  assert.equal(plans, {
    free: { monthlyAuths: 1_000, liveKeys: 3, testKeys: 3 },
    standard: { monthlyAuths: 50_000, liveKeys: 10, testKeys: 10 },
    unlimited: { monthlyAuths: null, liveKeys: 100, testKeys: 100 },
  });
});

test.run();
