/** The settings: their table in src/settings/README.md is fresh, every setting is read, and has the promised default. */
import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { type Config, loadConfig, SETTINGS, type SettingName } from '../../src/config.ts';
import { shownDefault } from '../../src/settings/setting.ts';
import { suite } from '../support/suite.ts';
import { readReadme, settingsTable, withTable } from './settings-table.ts';

const test = suite('repo: settings');
const MB = 1024 * 1024;
const SECRET = Buffer.alloc(32, 5).toString('base64url');

/** Setting → the default that is promised to operators. */
const CONTRACT: Record<string, string> = {
  SETTINGS_FILE: 'unset',
  DATA_DIR: './data',
  DATABASE_URL: 'unset: face-sign-in.db in DATA_DIR',
  HOST: '127.0.0.1',
  PORT: '8080',
  PORTAL_HOST: '127.0.0.1',
  PORTAL_PORT: '8081',
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
  LIMIT_CODE_PER_IP: '10',
  LIMIT_VERIFY_PER_IP: '20',
  LIMIT_MATCHES_PER_USER: '60',
  LIMIT_ENROLL_PER_IP: '20',
  LIMIT_CODE_PER_IP_DAY: '30',
  LIMIT_USER_FAILURES_DAY: '20',
  MAIL_ANSWER_MS: '1000',
  SIGNING_KEY_DAYS: '30',
  PLANS_FILE: 'built in',
  DEMO: 'on for npm start, else off',
  LOG_LEVEL: 'info',
};

/** Setting → what it is in the configuration by default, and what another value makes of it. */
const EFFECTS: Partial<Record<SettingName, [keyof Config, unknown, string, unknown]>> = {
  DATA_DIR: ['dataDir', resolve('data'), '/srv/faces', '/srv/faces'],
  DATABASE_URL: ['databasePath', resolve('data/face-sign-in.db'), 'sqlite:/srv/x.db', '/srv/x.db'],
  HOST: ['host', '127.0.0.1', '::1', '::1'],
  PORT: ['port', 8080, '0', 0],
  PORTAL_HOST: ['portalHost', '127.0.0.1', 'localhost', 'localhost'],
  PORTAL_PORT: ['portalPort', 8081, '9', 9],
  BASE_URL: ['baseUrl', null, 'https://face.example/', 'https://face.example'],
  MASTER_SECRET: ['masterSecret', null, SECRET, Buffer.alloc(32, 5)],
  TRUST_PROXY: ['trustProxy', 0, '2', 2],
  MAIL_URL: ['mail', null, 'file:/srv/mail', { kind: 'file', folder: '/srv/mail' }],
  MAIL_FROM: ['mailFrom', null, 'a@b.example', 'a@b.example'],
  MAIL_ANSWER_MS: ['mailAnswerMs', 1_000, '0', 0],
  LIMIT_ME_PER_MINUTE: ['limitMePerMinute', 60, '1', 1],
  LIMIT_CODE_PER_IP: ['limitCodePerIp', 10, '4', 4],
  LIMIT_VERIFY_PER_IP: ['limitVerifyPerIp', 20, '5', 5],
  LIMIT_MATCHES_PER_USER: ['limitMatchesPerUser', 60, '7', 7],
  LIMIT_ENROLL_PER_IP: ['limitEnrollPerIp', 20, '8', 8],
  LIMIT_CODE_PER_IP_DAY: ['limitCodePerIpDay', 30, '8', 8],
  LIMIT_USER_FAILURES_DAY: ['limitUserFailuresDay', 20, '8', 8],
  MATCH_THRESHOLD: ['matchThreshold', 0.35, '0.3', 0.3],
  MATCH_MARGIN: ['matchMargin', 0.04, '0.1', 0.1],
  MATCH_MEMORY_MB: ['matchMemoryBytes', Math.floor(totalmem() / 4 / MB) * MB, '10', 10 * MB],
  MATCH_THREADS: ['matchThreads', Math.max(1, availableParallelism() - 1), '3', 3],
  LIMIT_IP_PER_MINUTE: ['limitIpPerMinute', 30, '0', 0],
  SIGNING_KEY_DAYS: ['signingKeyDays', 30, '2', 2],
  LIMIT_APP_PER_MINUTE: ['limitAppPerMinute', 600, '1', 1],
  LIMIT_SECRET_KEY_PER_MINUTE: ['limitSecretKeyPerMinute', 600, '2', 2],
  LIMIT_FAILED_MATCHES: ['limitFailedMatches', 10, '3', 3],
  DEMO: ['demo', false, 'on', true],
  LOG_LEVEL: ['logLevel', 'info', 'silent', 'silent'],
};

test('the documented table is the one that the code makes; `npm run docs:settings` renews it', () => {
  assert.ok(
    withTable(readReadme()) === readReadme(),
    'src/settings/README.md is stale: npm run docs:settings',
  );
});

test('the table has a row for every setting, and needs its markers', () => {
  const rows = settingsTable().split('\n');
  assert.is(rows.length, Object.keys(SETTINGS).length + 2);
  for (const row of rows) assert.is(row.replaceAll('\\|', '').split('|').length, 6, row);
  assert.is(
    withTable('a\n<!-- settings -->\nold\n<!-- /settings -->\nb', 'T'),
    'a\n<!-- settings -->\nT\n<!-- /settings -->\nb',
  );
  for (const text of ['', '<!-- settings -->', '<!-- /settings --><!-- settings -->'])
    assert.throws(() => withTable(text), /needs the line/);
});

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

test('every setting has the default that it says, and changes what it should', () => {
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    // These name files: test/domain/plans.test.ts and settings-file.test.ts have their effects.
    if (name === 'PLANS_FILE' || name === 'SETTINGS_FILE') continue;
    // Only allows values of another: test/settings/config.test.ts.
    if (name === 'MATCH_THRESHOLD_UNSAFE') continue;
    const effect = EFFECTS[name];
    assert.ok(effect, `${name} has a row in this test`);
    const [field, byDefault, value, changed] = effect;
    const usual = loadConfig({});
    assert.equal(usual[field], byDefault, name);
    assert.equal(loadConfig({ [name]: '' }), usual, `${name} empty is as unset`);
    assert.equal(loadConfig({ [name]: value })[field], changed, `${name}=${value}`);
  }
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
