/** What is wrong, from a look at the service: one line each with what to do, and nothing where nothing is wrong. */
import * as assert from 'uvu/assert';
import type { Condition } from '../../src/health/condition.ts';
import { PROBLEMS, problemsOf, statusOf } from '../../src/health/problems.ts';
import type { JobState } from '../../src/jobs/watch.ts';
import { suite } from '../support/suite.ts';
import { finding, webhookIn } from './findings.ts';

const test = suite('health: problems');
const NOW = Date.parse('2026-03-15T12:00:00.000Z');
const EARLIER = NOW - 7_200_000;
const MB = 1024 * 1024;
const DAY = 86_400_000;

const job: JobState = {
  name: 'retention',
  last: null,
  succeededAt: EARLIER,
  runs: 0,
  failures: 0,
  failingSince: null,
  isOverdue: false,
};
const store = {
  file: { bytes: 10 * MB, logBytes: MB, rebuildFails: false },
  writesWaiting: 0,
  unjournaled: 0,
  unreadableSigningKeys: 0,
  plantedRows: 0,
};
const mail = { transport: 'smtp', failures: 0, failingSince: null, failedAt: null, isBroken: false };
const failing = (failures: number) => ({
  mail: { ...mail, failures, failingSince: EARLIER, isBroken: true },
});
const well: Condition = {
  at: NOW,
  isDraining: false,
  isUp: true,
  store,
  freeBytes: 1_000 * MB,
  matcher: { alive: 3, workers: 3, deaths: 2, pending: 9 },
  held: { bytes: 0, galleries: [] },
  galleries: { loading: [], unreadable: [], loaded: 0, bytes: 0, budgetBytes: MB },
  galleryFaults: [],
  encoders: [],
  scores: [],
  threshold: 0.35,
  budgets: [],
  lookAlikes: [],
  webhooks: null,
  jobs: [job],
  mail,
  signingKey: { signsSince: NOW - 30 * DAY, published: 1, maxAgeMs: 30 * DAY },
  erasuresFailingSince: null,
  clockFault: null,
  nodes: null,
};
const budget = (of: 'plan' | 'failed-faces', name: string, used: number) => ({
  ...{ of, used, limit: 1_000, gallery: { appId: `app_${name}`, mode: 'live' as const } },
});
const node = (name: string, clockOffsetMs: number, settings: Record<string, string> | null = null) => ({
  ...{ name, version: '1.0.0', startedAt: EARLIER, seenAt: NOW, lagMs: 900 },
  clockOffsetMs,
  settings,
});
const fault = (appId: string, what: 'failed' | 'too_large', since = EARLIER) => ({
  gallery: { appId, mode: 'live' as const },
  what,
  since,
});

type Row = [Partial<Condition>, name: string, since: number | null, message: RegExp, fix: RegExp];
const ROWS: Row[] = [
  [{ isDraining: true }, 'draining', null, /service is stopping/, /Wait/],
  [
    { isUp: false },
    'database',
    null,
    /database does not answer, or accepts no writes/,
    /log.*free space.*PostgreSQL/,
  ],
  [{ freeBytes: 63 * MB, store: null }, 'disk', null, /63 MB left\. .* need 64 MB/, /Free some space/],
  [
    { freeBytes: 199 * MB, store: { ...store, file: { ...store.file, bytes: 99 * MB } } },
    'disk',
    null,
    /199 MB left\. .* need 200 MB/,
    /DATA_DIR/,
  ],
  [{ matcher: { ...well.matcher, alive: 2 } }, 'matcher', null, /^2 of 3 matching/, /Restart.*MATCH_MEM/],
  [
    { galleryFaults: [fault('app_a', 'too_large')] },
    'galleries',
    EARLIER,
    /app_a \(live\)\.$/,
    /MATCH_MEMORY_MB\. Raise it/,
  ],
  [
    {
      galleryFaults: ['a', 'b', 'c', 'd', 'e'].map((name, n) => fault(`app_${name}`, 'failed', EARLIER + n)),
    },
    'galleries',
    EARLIER,
    /app_a \(live\), app_b \(live\), app_c \(live\) and 2 more\.$/,
    /a gallery could not be loaded/,
  ],
  [
    { jobs: [{ ...job, failingSince: EARLIER }] },
    'jobs',
    EARLIER,
    /"retention" fails\. It last succeeded at 2026-03-15T10/,
    /job failed.*job run retention/,
  ],
  [
    { jobs: [{ ...job, succeededAt: null, failingSince: EARLIER }] },
    'jobs',
    EARLIER,
    /never succeeded/,
    /job run retention/,
  ],
  [
    { scores: [finding('app_a', 'safe', 20), finding('app_b', 'unsafe', 120)], threshold: 0.3 },
    'unsafe-app',
    null,
    /^App app_b \(live\) has 120 users but is safe for only 40 at MATCH_THRESHOLD 0\.3: it would let in more than 1 in 1,000 strangers/,
    /Lower MATCH_THRESHOLD, use a better encoder, or keep fewer users in one app\..*factor of four.*calibrate/,
  ],
  [
    { scores: [finding('app_raw', 'unknown', 1, ['enrolments'])] },
    'unsafe-app',
    null,
    /^App app_raw \(live\) refused 10 of 11 enrollments .* MATCH_THRESHOLD 0\.35: its descriptors hardly differ/,
    /Run "calibrate".*subtract the mean/,
  ],
  [
    {
      scores: [
        finding('app_a', 'unclear', 101),
        finding('app_b', 'safe', 9),
        finding('app_c', 'unclear', 580),
      ],
    },
    'outgrown',
    null,
    /^More users than MATCH_THRESHOLD is for: app_c has 580, app_a has 101; 0\.35 carries 100\./,
    /^Set MATCH_THRESHOLD to 0\.32, .* all apps of this server\. 0\.5 to 1 more of 100 owners/,
  ],
  [
    { threshold: 0.45 },
    'threshold',
    null,
    /^MATCH_THRESHOLD is 0\.45, above the default 0\.35/,
    /Set MATCH_THRESHOLD to 0\.35 or lower/,
  ],
  [{ jobs: [{ ...job, isOverdue: true }] }, 'jobs', EARLIER, /"retention" is overdue/, /job run retention/],
  [failing(1), 'mail', EARLIER, /by smtp fails: the last message failed/, /MAIL_URL.*doctor/],
  [failing(4), 'mail', EARLIER, /last 4 messages failed/, /mail failed/],
  [
    { signingKey: { signsSince: null, published: 0, maxAgeMs: DAY } },
    'signing-key',
    null,
    /no signing key/,
    /signing-key rotate --now/,
  ],
  [
    { signingKey: { signsSince: NOW - 31 * DAY, published: 1, maxAgeMs: 30 * DAY } },
    'signing-key',
    NOW - DAY,
    /older than SIGNING_KEY_DAYS/,
    /signing-key rotate/,
  ],
  [
    { store: { ...store, unreadableSigningKeys: 2 } },
    'unreadable',
    null,
    /2 signing keys cannot be decrypted and are not used/,
    /signing-key rotate --revoke-old/,
  ],
  [
    { store: { ...store, plantedRows: 2 } },
    'unreadable',
    null,
    /2 rows about operators.* were not written by the service and are refused/,
    /doctor/,
  ],
  [
    {
      galleries: {
        ...well.galleries,
        unreadable: [{ gallery: { appId: 'app_1', mode: 'live' }, templates: 1, since: EARLIER }],
      },
    },
    'unreadable',
    EARLIER,
    /^A template cannot be decrypted, and its owner .*app_1 \(live\)/,
    /doctor.*restore/,
  ],
  [webhookIn(EARLIER), 'webhooks', EARLIER, /were disabled.*: wh_1 of app_1 \(live\)\.$/, /--enable/],
  [
    { budgets: ['a', 'b', 'c', 'd'].map((name, n) => budget('plan', name, 850 - n)) },
    'plan',
    null,
    /auths of this month \(UTC\) are used: app_a \(live\) 85 % of 1000, .* and 1 more\. With none left, nobody/,
    /events.*app update APP --plan PLAN/,
  ],
  [
    { budgets: [budget('failed-faces', 'a', 500)] },
    'failed-faces',
    null,
    /failed faces of today \(UTC\) are used: app_a \(live\) 50 % of 1000\. .* Email codes still work\.$/,
    /LIMIT_FAILED_FACES_PER_APP_DAY/,
  ],
  [
    { lookAlikes: [{ gallery: { appId: 'app_a', mode: 'live' }, younger: 'b', older: 'a', count: 3 }] },
    'look-alikes',
    null,
    /: a and b \(enrolled later\) in app_a \(live\), 3 times\.$/,
    /^Check both people before you act\. (?!.*delete)/,
  ],
  [
    { nodes: [node('a', 250), node('b', 251), node('c', -4_500)] },
    'clock',
    null,
    /^Clocks differ from the database's: b \+0\.251 s, c −4\.5 s\./,
    /NTP/,
  ],
  [
    {
      nodes: [
        node('a', 0, { MATCH_MARGIN: '0.04', BASE_URL: '"https://a.example"' }),
        node('b', 0, { MATCH_MARGIN: '0.04', BASE_URL: '"https://b.example"' }),
        node('c', 0),
      ],
    },
    'settings',
    null,
    /^Nodes have different settings: BASE_URL \(a; b\)\. /,
    /^Give all nodes the same/,
  ],
  [
    { erasuresFailingSince: EARLIER },
    'erasures',
    EARLIER,
    /traces of them may be left\.$/,
    /data folder is writable/,
  ],
  [
    { erasuresFailingSince: EARLIER, store: { ...store, unjournaled: 3 } },
    'erasures',
    EARLIER,
    /\(3 not yet in the journal\)/,
    /by itself/,
  ],
  [
    { store: { ...store, file: { ...store.file, rebuildFails: true } } },
    'erasures',
    null,
    /rebuild of the database failed/,
    /disk has free space/,
  ],
];

test('nothing is wrong with a service that is well, whatever it is busy with', () => {
  assert.equal(problemsOf(well), []);
  assert.is(statusOf(well, []), 'ok');
  // Refused recipients, journals on their way and parts that cannot be looked at are no problems by themselves.
  const busy = {
    ...well,
    mail: { ...mail, failures: 2, failingSince: EARLIER },
    store: { ...store, unjournaled: 2, writesWaiting: 500 },
    freeBytes: null,
    jobs: null,
    signingKey: null,
  };
  assert.equal(problemsOf(busy), []);
  assert.equal(problemsOf({ ...well, mail: null, store: null }), []);
});

for (const [change, name, since, message, fix] of ROWS)
  test(`${name}: ${message.source}`, () => {
    const condition = { ...well, ...change };
    const [found, ...others] = problemsOf(condition);
    assert.equal(others, []);
    assert.equal([found?.name, found?.since], [name, since]);
    assert.match(found?.message ?? '', message);
    assert.match(found?.fix ?? '', fix);
    for (const line of [found?.message, found?.fix]) assert.match(line ?? '', /^[A-Z0-9][^\n]{10,250}\.$/);
    const down = name === 'draining' || name === 'database';
    assert.is(statusOf(condition, problemsOf(condition)), down ? 'down' : 'degraded');
  });

test('every problem there can be has a row here', () => {
  const held = new Set(ROWS.map(([, name]) => name));
  assert.equal(
    PROBLEMS.filter(name => !held.has(name)),
    [],
  );
});

test.run();
