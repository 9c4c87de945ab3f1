/**
 * Every setting: what it is when nobody sets it, that a good value is taken, and that a bad one stops the start with
 * one line which names the setting and shows an example. A setting that this table does not know fails the last test.
 */
import { availableParallelism, hostname, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { type Config, loadConfig, SETTINGS, type SettingName } from '../../src/config.ts';
import { BUILT_IN_PLANS } from '../../src/domain/plans.ts';
import { inFile } from '../../src/settings/database.ts';
import { settingFault as fault } from '../support/setting-fault.ts';
import { suite } from '../support/suite.ts';
import { byLimit, LIMIT_DEFAULTS } from './limits.ts';

const test = suite('settings');
const SECRET = Buffer.alloc(32, 171);
const MB = 1024 * 1024;

interface Row {
  /** A value, and what the config then has. */
  readonly good: readonly (readonly [string, Partial<Config>])[];
  readonly bad: readonly string[];
}

const WHOLE = [
  ...['-1', '1.5', '1e3', '0x10', ' 1', '1 ', '+1', 'many', '٣', '99999999999999999999', 'NaN'],
  'Infinity',
];
const port = (key: 'port' | 'portalPort'): Row => ({
  good: ['0', '1', '8090', '65535'].map(text => [text, { [key]: Number(text) }] as const),
  bad: [...WHOLE, '65536', '8080/tcp'],
});
const networks: Row = {
  good: [
    ['10.1.0.0/16', { webhookAllow: ['10.1.0.0/16'] }],
    ['192.0.2.1, fd12::/32,::/0', { webhookAllow: ['192.0.2.1/32', 'fd12::/32', '::/0'] }],
  ],
  bad: ['10.0.0.0/33', 'fd12::/129', '10.0.0.0/', '10.0.0/8', 'localhost', '10.0.0.0/8,', '10.0.0.0/8/8'],
};
const limit = (key: keyof Config): Row => ({
  good: ['0', '1', '1000000000'].map(text => [text, { [key]: Number(text) }] as const),
  bad: [...WHOLE, '1000000001'],
});
const distance = (key: keyof Config, good: readonly string[], more: readonly string[]): Row => ({
  good: good.map(text => [text, { [key]: Number(text) }] as const),
  bad: ['-0.1', '-0', '2.01', '1e-1', '.5', '0,35', ' 0.35', 'NaN', 'near', ...more],
});

const TABLE: Record<SettingName, Row> = {
  ...byLimit(limit),
  DATA_DIR: {
    good: [
      [
        '/srv/x',
        {
          dataDir: '/srv/x',
          database: inFile('/srv/x/face-sign-in.db'),
          masterSecretFile: '/srv/x/master.key',
        },
      ],
    ],
    bad: [],
  },
  DATABASE_URL: {
    good: [
      ['sqlite:/srv/y.db', { database: inFile('/srv/y.db') }],
      ['sqlite:y.db', { database: inFile(resolve('y.db')) }],
    ],
    bad: ['sqlite:', '/srv/y.db', 'file:y.db', 'mysql://h/d', 'postgres://h/d', 'postgresql://h/d'],
  },
  DATABASE_POOL: { good: [['5', { databasePool: 5 }]], bad: ['0', '501', 'many'] },
  WEBHOOK_ALLOW: networks,
  NODE_NAME: { good: [['face-1', { nodeName: 'face-1' }]], bad: [] },
  HOST: {
    good: [
      ['::1', { host: '::1' }],
      ['localhost', { host: 'localhost' }],
    ],
    bad: [],
  },
  PORT: port('port'),
  PORTAL_HOST: { good: [['127.0.0.2', { portalHost: '127.0.0.2' }]], bad: [] },
  PORTAL_PORT: port('portalPort'),
  PORTAL_URL: {
    good: [
      ['https://portal.example', { portalUrl: 'https://portal.example' }],
      ['https://portal.example:8443/', { portalUrl: 'https://portal.example:8443' }],
      ['http://localhost:9000', { portalUrl: 'http://localhost:9000' }],
      ['http://portal.localhost:9000', { portalUrl: 'http://portal.localhost:9000' }],
    ],
    bad: [
      ...['portal.example', 'http://portal.example', 'http://127.0.0.1:8081', 'https://192.0.2.1'],
      ...['https://[::1]:8081', 'https://portal.example/portal', 'https://portal.example:443'],
      ...['https://portal.example?', 'https://u@portal.example', 'HTTPS://Portal.Example'],
      'ftp://portal.example',
    ],
  },
  PORTAL_TRUST_PROXY: {
    good: ['0', '20'].map(text => [text, { portalTrustProxy: Number(text) }] as const),
    bad: [...WHOLE, '21', 'true'],
  },
  METRICS_TOKEN: {
    good: ['a'.repeat(8), 'Aa0-._~+/='.repeat(20)].map(text => [text, { metricsToken: text }] as const),
    bad: ['a'.repeat(7), 'a'.repeat(201), 'two words here', 'quoted"token'],
  },
  BASE_URL: {
    good: [
      ['https://face.example', { baseUrl: 'https://face.example' }],
      ['https://face.example/', { baseUrl: 'https://face.example' }],
      ['http://localhost:8080', { baseUrl: 'http://localhost:8080' }],
      ['https://face.example/a/b/', { baseUrl: 'https://face.example/a/b' }],
    ],
    bad: [
      'https://face.example/a;b',
      'face.example',
      'https://',
      'ftp://face.example',
      'https://face.example/?x=1',
      'https://face.example/#x',
      'https://u@face.example',
      'https://u:p@face.example',
      'https://face.example:99999',
    ],
  },
  MASTER_SECRET: {
    good: [[SECRET.toString('base64url'), { masterSecret: SECRET }]],
    bad: [
      'short',
      SECRET.toString('hex'),
      SECRET.subarray(1).toString('base64url'),
      `${SECRET.toString('base64url')}A`,
      `${SECRET.toString('base64url').slice(0, 42)}!`,
      Buffer.alloc(32, 251).toString('base64'),
    ],
  },
  // More of it: mail.test.ts.
  MAIL_URL: {
    good: [
      ['smtp://mail.example', { mail: { kind: 'smtp', url: 'smtp://mail.example', requireTls: true } }],
      [
        'smtps://u:p@mail.example:465',
        { mail: { kind: 'smtp', url: 'smtps://u:p@mail.example:465', requireTls: true } },
      ],
      ['https://mail.example/send', { mail: { kind: 'http', url: 'https://mail.example/send' } }],
      ['http://127.0.0.1:9/', { mail: { kind: 'http', url: 'http://127.0.0.1:9/' } }],
      ['file:/srv/mail', { mail: { kind: 'file', folder: '/srv/mail' } }],
      ['file:///srv/my%20mail', { mail: { kind: 'file', folder: '/srv/my mail' } }],
      ['file:mail', { mail: { kind: 'file', folder: resolve('data/mail') } }],
      ['file:', { mail: { kind: 'file', folder: resolve('data/mail') } }],
    ],
    bad: ['mail.example', 'smtp:', 'smtp://', 'https://', 'ftp://mail.example', 'sendmail', '/srv/mail'],
  },
  MAIL_FROM: {
    good: [
      ['no-reply@face.example', { mailFrom: 'no-reply@face.example' }],
      ['Säge & Co <no-reply@localhost>', { mailFrom: 'Säge & Co <no-reply@localhost>' }],
    ],
    bad: [
      'nobody',
      '@face.example',
      'a@b.example, c@d.example',
      'A <a@b.example> B',
      'a@b.example\nBcc: c@d.example',
    ],
  },
  MAIL_ANSWER_MS: {
    good: ['0', '60000'].map(text => [text, { mailAnswerMs: Number(text) }] as const),
    bad: [...WHOLE, '60001'],
  },
  TRUST_PROXY: {
    good: ['0', '20'].map(text => [text, { trustProxy: Number(text) }] as const),
    bad: [...WHOLE, '21', 'true', 'on', '10.0.0.0/8'],
  },
  MATCH_THRESHOLD: distance('matchThreshold', ['0.01', '0.35', '0.6'], ['0', '0.009', '0.6001', '1', '2']),
  MATCH_MARGIN: distance('matchMargin', ['0.01', '0.04', '0.5'], ['0', '0.009', '0.51', '2']),
  // What it allows: the test below.
  MATCH_THRESHOLD_UNSAFE: {
    good: [
      ['no', {}],
      ['yes', {}],
    ],
    bad: ['YES', 'true', 'on', '1'],
  },
  MATCH_MEMORY_MB: {
    good: [
      ['1', { matchMemoryBytes: MB }],
      ['2048', { matchMemoryBytes: 2048 * MB }],
    ],
    bad: [...WHOLE, '0', '1000001', '2GB'],
  },
  MATCH_THREADS: {
    good: [
      ['1', { matchThreads: 1 }],
      ['256', { matchThreads: 256 }],
    ],
    bad: [...WHOLE, '0', '257'],
  },
  // What may stand in the file: plans.test.ts.
  SIGNING_KEY_DAYS: {
    good: ['2', '30', '36500'].map(text => [text, { signingKeyDays: Number(text) }] as const),
    bad: [...WHOLE, '0', '1', '36501'],
  },
  CLOCK_LEAP_DAYS: {
    good: ['0', '30', '36500'].map(text => [text, { clockLeapDays: Number(text) }] as const),
    bad: [...WHOLE, '36501'],
  },
  PLANS_FILE: { good: [], bad: ['/nowhere/plans.json'] },
  SETTINGS_FILE: { good: [], bad: ['/nowhere/settings'] },
  DEMO: {
    good: [
      ['on', { demo: true }],
      ['off', { demo: false }],
    ],
    bad: ['ON', 'true', '1', 'yes'],
  },
  LOG_LEVEL: {
    good: (['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const).map(
      level => [level, { logLevel: level }] as const,
    ),
    bad: ['trace', 'INFO', 'verbose'],
  },
};

test('what nobody sets, or sets to nothing, has its default', () => {
  const empty = Object.fromEntries(Object.keys(SETTINGS).map(name => [name, '']));
  for (const env of [{}, empty]) {
    const { matchMemoryBytes, matchThreads, nodeName, plans, ...rest } = loadConfig(env);
    assert.is(nodeName, hostname());
    assert.equal(rest, {
      settingsFile: null,
      dataDir: resolve('data'),
      database: inFile(join(resolve('data'), 'face-sign-in.db')),
      databasePool: 16,
      host: '127.0.0.1',
      port: 8080,
      portalHost: '127.0.0.1',
      portalPort: 8081,
      portalUrl: null,
      portalTrustProxy: 0,
      metricsToken: null,
      baseUrl: null,
      masterSecret: null,
      masterSecretFile: join(resolve('data'), 'master.key'),
      erasuresFile: resolve('data/erasures.jsonl'),
      trustProxy: 0,
      mail: null,
      mailFrom: null,
      mailAnswerMs: 1_000,
      ...LIMIT_DEFAULTS,
      matchThreshold: 0.35,
      isUnsafeThresholdAllowed: false,
      matchMargin: 0.04,
      signingKeyDays: 30,
      clockLeapDays: 30,
      demo: false,
      logLevel: 'info',
      webhookAllow: [],
    });
    assert.ok(plans === BUILT_IN_PLANS);
    assert.is(matchThreads, Math.max(1, availableParallelism() - 1));
    assert.is(matchMemoryBytes, Math.floor(totalmem() / 4 / MB) * MB);
  }
});

for (const [name, { good, bad }] of Object.entries(TABLE)) {
  test(`${name}: good values are taken, bad ones refused in one line with name and example`, () => {
    for (const [text, expected] of good) {
      const config = loadConfig({ [name]: text }) as unknown as Record<string, unknown>;
      for (const [key, value] of Object.entries(expected))
        assert.equal(config[key], value, `${name}=${text}`);
    }
    for (const text of bad) {
      const message = fault({ [name]: text });
      assert.ok(message.startsWith(`${name} `), `${name}=${text}: ${message}`);
      assert.match(message, new RegExp(`, for example ${name}=\\S+`));
      assert.not.match(message, /\p{Cc}/u, JSON.stringify(text));
    }
  });
}

test('no message repeats what may be secret', () => {
  const hidden = 'hunter2hunter2';
  for (const env of [
    { MASTER_SECRET: hidden },
    { DATABASE_URL: `postgres://svc:${hidden}@db.example/face?sslmode=no` },
    { DATABASE_URL: `mysql://svc:${hidden}@db.example/face` },
    { BASE_URL: `https://svc:${hidden}@face.example` },
  ])
    assert.not(fault(env).includes(hidden), JSON.stringify(Object.keys(env)));
});

test('the table above knows every setting', () => {
  assert.equal(Object.keys(TABLE).sort(), Object.keys(SETTINGS).sort());
  for (const { default: value, meaning } of Object.values(SETTINGS)) assert.ok(value && meaning);
});

test.run();
