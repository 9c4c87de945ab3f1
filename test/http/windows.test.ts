/**
 * What is counted in a window, limit by limit: of a burst exactly so many get through, the window begins at the first one,
 * the refused do not prolong it, a restart does not forget it, and another app has its own. Fails by the limit's name.
 */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  atOnce,
  browser,
  call,
  enroll,
  enrolled,
  faces,
  type Mode,
  match,
  planFile,
  server,
  someEmail,
  tally,
  verify,
} from '../support/client.ts';
import { requestCode, verifyCode } from '../support/codes.ts';
import { addTemplates, getMe, requestChange } from '../support/me.ts';
import { type Running, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const test = suite('windows');

type Shot = (n: number) => Promise<Answer>;

interface Limit {
  readonly most: number;
  /** `DAY` is a day of UTC; others begin at the first one. */
  readonly length: number;
  /** Switched off in tests unless it is named here; '' is the built-in number. */
  readonly setting?: string;
  /** Requests of the burst for each that gets through; ten, unless told. */
  readonly times?: number;
  /** Kept in memory: no restart is survived. */
  readonly forgets?: true;
  /** One over all apps; others are each app's own. */
  readonly overApps?: true;
  readonly plan?: string;
  /** Somebody, or an address, that has a window of its own in the same app, asked after the burst. */
  readonly beside?: (run: Running, app: TestApp) => Promise<Answer>;
  /** Gives what makes a request of the one that is counted. Called again whenever time has passed. */
  readonly of: (run: Running, app: TestApp, ip: string) => Promise<Shot> | Shot;
  /** Of a client address: stands twice for IPv6, by the /64, and by the /48 with ten times the number. */
  readonly ofSite?: boolean;
}

const HERE = '203.0.113.7';
const elsewhere = '203.0.113.8';
const codes = (mode: Mode, many: boolean): Limit['of'] => {
  const email = someEmail();
  return (run, app) => () => requestCode(run, app, many ? someEmail() : email, { mode });
};
/** The one user of an app, signed in; enrolled at first. */
async function somebody(run: Running, app: TestApp, mode: Mode): Promise<{ email: string; token: string }> {
  const isThere = run.rows('SELECT 1 FROM users WHERE app_id = ?', app.id).length > 0;
  const { user, token } = isThere
    ? (await match(run, app, { mode })).json
    : await enrolled(run, app, { mode });
  return { email: user.email, token };
}
const EACH = ['live', 'test'] as const;
const perMode = (name: string, of: (mode: Mode) => Limit): [string, Limit][] =>
  EACH.map(mode => [`${name} (${mode})`, of(mode)]);

const LIMITS: Readonly<Record<string, Limit>> = {
  '30 challenges, enrolls and matches of an address in a minute': {
    ...{
      most: 30,
      length: MINUTE,
      setting: 'LIMIT_IP_PER_MINUTE',
      forgets: true,
      overApps: true,
      ofSite: true,
    },
    of: (run, app, ip) => n => {
      const path = ['/v1/challenges', '/v1/enroll', '/v1/match'][n % 3] ?? '';
      return call(run, 'POST', path, { headers: browser(app), ip, ...(n % 3 > 0 && { json: {} }) });
    },
  },
  '600 requests of a secret key in a minute': {
    ...{ most: 600, length: MINUTE, setting: 'LIMIT_SECRET_KEY_PER_MINUTE', times: 1.5, forgets: true },
    of: (run, app) => n =>
      n % 2 ? verify(run, app, 'x') : call(run, 'GET', '/v1/app', { headers: server(app) }),
  },
  '600 matches of an app in a minute, from whatever address': {
    ...{ most: 600, length: MINUTE, setting: 'LIMIT_APP_PER_MINUTE', times: 1.2, forgets: true },
    of: (run, app) => n =>
      match(run, app, { challengeId: 'ch_none', ip: `10.1.${(n >> 4) % 256}.${n & 15}` }),
  },
  '600 code requests of an app in a minute': {
    ...{ most: 600, length: MINUTE, setting: 'LIMIT_APP_PER_MINUTE', times: 1.1, forgets: true },
    ...{ plan: 'unlimited', of: codes('live', true) },
  },
  ...Object.fromEntries([
    ...perMode('60 requests of a user in a minute', mode => ({
      ...{ most: 60, length: MINUTE, setting: 'LIMIT_ME_PER_MINUTE', forgets: true },
      of: async (run, app) => {
        const { token } = await somebody(run, app, mode);
        return () => getMe(run, token);
      },
    })),
    ...perMode('10 code requests of an address in 15 minutes', mode => ({
      ...{
        most: 10,
        length: 15 * MINUTE,
        setting: 'LIMIT_CODE_PER_IP',
        ofSite: mode === 'live',
        overApps: true,
      },
      of: (run, app, ip) => () => requestCode(run, app, someEmail(), { ip, mode }),
    })),
    ...perMode('20 verifies of an address in 15 minutes', mode => ({
      ...{
        most: 20,
        length: 15 * MINUTE,
        setting: 'LIMIT_VERIFY_PER_IP',
        ofSite: mode === 'live',
        overApps: true,
      },
      of: (run, app, ip) => () => verifyCode(run, app, someEmail(), '123456', { ip, mode }),
    })),
    ...perMode('10 failed matches of an address in 15 minutes', mode => ({
      ...{ most: 10, length: 15 * MINUTE, setting: 'LIMIT_FAILED_MATCHES', ofSite: mode === 'live' },
      of: (run, app, ip) => () => match(run, app, { ip, mode, descriptors: [faces.stranger(1)] }),
    })),
    ...perMode('20 enrolls of an address in 15 minutes', mode => ({
      ...{ most: 20, length: 15 * MINUTE, setting: 'LIMIT_ENROLL_PER_IP', ofSite: mode === 'live' },
      of: (run, app, ip) => () => enroll(run, app, { ip, mode, challengeId: 'ch_none' }),
      beside: (run, app) => enroll(run, app, { ip: elsewhere, mode, challengeId: 'ch_none' }),
    })),
    ...perMode('30 code requests of an address in a day', mode => ({
      ...{
        most: 30,
        length: DAY,
        setting: 'LIMIT_CODE_PER_IP_DAY',
        ofSite: mode === 'live',
        overApps: true,
        plan: 'free',
      },
      of: (run, app, ip) => () => requestCode(run, app, someEmail(), { ip, mode }),
      // What was refused took nothing from the cap of the app, which is smaller than the burst.
      beside: (run, app) => requestCode(run, app, someEmail(), { ip: elsewhere, mode }),
    })),
    ...perMode('60 matches of a user in an hour', mode => ({
      ...{ most: 60, length: HOUR, setting: 'LIMIT_MATCHES_PER_USER' },
      of: async (run, app) => {
        const isThere = run.rows('SELECT 1 FROM users WHERE app_id = ?', app.id).length > 0;
        if (!isThere) await enrolled(run, app, { mode });
        return () => match(run, app, { mode });
      },
      beside: async (run, app) => {
        const other = { mode, descriptors: [faces.genuine(1)] };
        await enrolled(run, app, other);
        return match(run, app, other);
      },
    })),
    ...perMode('5 codes an hour for an email that nobody has', mode => ({
      ...{ most: 5, length: HOUR, of: codes(mode, false) },
    })),
    ...perMode('5 codes an hour for an email that somebody has', mode => ({
      ...{ most: 5, length: HOUR },
      of: async (run, app) => {
        const { email } = await somebody(run, app, mode);
        return () => requestCode(run, app, email, { mode });
      },
    })),
  ]),
  '5 changes of address asked for by a user in an hour': {
    ...{ most: 5, length: HOUR },
    of: async (run, app) => {
      const { token } = await somebody(run, app, 'live');
      return () => requestChange(run, token, someEmail());
    },
  },
  '50 live codes of an app of the free plan in a day': {
    ...{ most: 50, length: DAY, plan: 'free', of: codes('live', true) },
  },
  '50 live codes of an app of a plan of 100 auths in a day': {
    ...{ most: 50, length: DAY, plan: 'tiny', of: codes('live', true) },
  },
  '200 test codes of an app in a day': { most: 200, length: DAY, of: codes('test', true) },
  '200 test enrolls of an app in a day': {
    ...{ most: 200, length: DAY, times: 2 },
    of: (run, app) => () => enroll(run, app, { mode: 'test', fields: { email: 'taken@example.com' } }),
  },
  '1,000 test matches of an app in a day': {
    ...{ most: 1_000, length: DAY, times: 1.1 },
    of: (run, app) => () => match(run, app, { mode: 'test', descriptors: [faces.stranger(1)] }),
  },
};

for (const [name, limit] of Object.entries(LIMITS))
  test(name, async () => {
    const { most, length, setting, times = 10 } = limit;
    const env = { BASE_URL: 'https://id.example.com', PLANS_FILE: planFile({ tiny: 100 }) };
    let run = await startService({ env: { ...env, ...(setting && { [setting]: '' }) } });
    try {
      const untilMidnight = () => DAY - (run.clock.now() % DAY);
      run.clock.advance(untilMidnight() + 5 * HOUR + 1);
      const plan = limit.plan ?? 'unlimited';
      const app = await run.createApp({ plan });
      let shoot = await limit.of(run, app, HERE);
      const end = run.clock.now() + (length === DAY ? untilMidnight() : length);
      const seconds = () => String(Math.ceil((end - run.clock.now()) / 1_000));
      const limited = (answers: Answer[], wait: string) => {
        const refused = answers.filter(answer => answer.json?.error?.code === 'rate_limited');
        for (const answer of refused) assert.is(answer.headers['retry-after'], wait);
        return refused.length;
      };

      assert.is(limited([await shoot(0)], ''), 0, 'the first');
      run.clock.advance(Math.floor(length / 3));
      shoot = await limit.of(run, app, HERE);
      const answers = await atOnce(Math.round(most * times), shoot);
      assert.is(answers.length - limited(answers, seconds()), most - 1, JSON.stringify(tally(answers)));
      for (const { status, text } of answers) assert.ok(status < 500, text);
      const another = await limit.of(run, await run.createApp({ plan }), HERE);
      assert.is(limited([await another(0)], seconds()), limit.overApps ? 1 : 0, 'another app');
      if (limit.beside) assert.is(limited([await limit.beside(run, app)], ''), 0, 'beside it');

      run.clock.advance(end - 1 - run.clock.now());
      if (!limit.forgets) run = await run.restart();
      shoot = await limit.of(run, app, HERE);
      assertError(await shoot(0), 'rate_limited', 'a millisecond before the end');
      assert.is(limited([await shoot(0)], '1'), 1);
      run.clock.advance(1);
      shoot = await limit.of(run, app, HERE);
      const again = await atOnce(most + 3, shoot);
      const wait = String(Math.ceil((length === DAY ? untilMidnight() : length) / 1_000));
      assert.is(limited(again, wait), 3, JSON.stringify(tally(again)));
    } finally {
      await run.close();
    }
  });

for (const [name, { setting = '', of, forgets }] of Object.entries(LIMITS).filter(([, { ofSite }]) => ofSite))
  test(`of one /48 ten times as many, and an IPv4 address has no site: ${name}`, async () => {
    let run = await startService({ env: { [setting]: '1', BASE_URL: 'https://id.example.com' } });
    try {
      const app = await run.createApp({ plan: 'unlimited' });
      const passed = async (count: number, ip: (n: number) => string) => {
        const answers = await atOnce(count, async n => (await of(run, app, ip(n)))(n));
        return answers.filter(answer => answer.json?.error?.code !== 'rate_limited').length;
      };
      const site = (name: string) => (n: number) => `2001:db8:${name}:${n.toString(16)}::1`;
      assert.is(await passed(100, site('a')), 10);
      assert.is(await passed(20, site('b')), 10, 'another /48');
      assert.is(await passed(20, n => `192.0.2.${n}`), 20, 'IPv4');
      if (forgets) return;
      run = await run.restart();
      assert.is(await passed(5, site('a')), 0, 'after a restart');
    } finally {
      await run.close();
    }
  });

test('what the /64 refuses takes nothing from the /48', async () => {
  await using run = await startService({ env: { LIMIT_ENROLL_PER_IP: '2', LIMIT_IP_PER_MINUTE: '2' } });
  const app = await run.createApp();
  const ask = (ip: string) => enroll(run, app, { ip, challengeId: 'ch_none' });
  const answers = await Promise.all(Array.from({ length: 60 }, () => ask('2001:db8:1:1::1')));
  assert.equal(tally(answers), { '400 challenge_invalid': 2, '429 rate_limited': 58 });
  const neighbours = await Promise.all(Array.from({ length: 18 }, (_, n) => ask(`2001:db8:1:${n + 16}::1`)));
  assert.equal(tally(neighbours), { '400 challenge_invalid': 18 });
  assert.is((await ask('2001:db8:1:ff::1')).status, 429);
});

test('a refused template add counts for the /48 as well', async () => {
  await using run = await startService({ env: { LIMIT_FAILED_MATCHES: '1' } });
  const app = await run.createApp();
  const { token } = await enrolled(run, app);
  const answers = [];
  for (let n = 0; n < 12; n++)
    answers.push(await addTemplates(run, app, token, [faces.stranger(1)], { ip: `2001:db8:1:${n}::1` }));
  assert.equal(tally(answers), { '401 no_match': 10, '429 rate_limited': 2 });
});

test.run();
