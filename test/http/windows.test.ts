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
import { getMe, requestChange } from '../support/me.ts';
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
  readonly of: (run: Running, app: TestApp) => Promise<Shot> | Shot;
}

const ip = '203.0.113.7';
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
    ...{ most: 30, length: MINUTE, setting: 'LIMIT_IP_PER_MINUTE', forgets: true, overApps: true },
    of: (run, app) => n => {
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
      ...{ most: 10, length: 15 * MINUTE, setting: 'LIMIT_CODE_PER_IP', overApps: true },
      of: (run, app) => () => requestCode(run, app, someEmail(), { ip, mode }),
    })),
    ...perMode('20 verifies of an address in 15 minutes', mode => ({
      ...{ most: 20, length: 15 * MINUTE, setting: 'LIMIT_VERIFY_PER_IP', overApps: true },
      of: (run, app) => () => verifyCode(run, app, someEmail(), '123456', { ip, mode }),
    })),
    ...perMode('10 failed matches of an address in 15 minutes', mode => ({
      ...{ most: 10, length: 15 * MINUTE, setting: 'LIMIT_FAILED_MATCHES' },
      of: (run, app) => () => match(run, app, { ip, mode, descriptors: [faces.stranger(1)] }),
    })),
    ...perMode('20 enrolls of an address in 15 minutes', mode => ({
      ...{ most: 20, length: 15 * MINUTE, setting: 'LIMIT_ENROLL_PER_IP' },
      of: (run, app) => () => enroll(run, app, { ip, mode, challengeId: 'ch_none' }),
      beside: (run, app) => enroll(run, app, { ip: elsewhere, mode, challengeId: 'ch_none' }),
    })),
    ...perMode('30 code requests of an address in a day', mode => ({
      ...{ most: 30, length: DAY, setting: 'LIMIT_CODE_PER_IP_DAY', overApps: true, plan: 'free' },
      of: (run, app) => () => requestCode(run, app, someEmail(), { ip, mode }),
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
      let shoot = await limit.of(run, app);
      const end = run.clock.now() + (length === DAY ? untilMidnight() : length);
      const seconds = () => String(Math.ceil((end - run.clock.now()) / 1_000));
      const limited = (answers: Answer[], wait: string) => {
        const refused = answers.filter(answer => answer.json?.error?.code === 'rate_limited');
        for (const answer of refused) assert.is(answer.headers['retry-after'], wait);
        return refused.length;
      };

      assert.is(limited([await shoot(0)], ''), 0, 'the first');
      run.clock.advance(Math.floor(length / 3));
      shoot = await limit.of(run, app);
      const answers = await atOnce(Math.round(most * times), shoot);
      assert.is(answers.length - limited(answers, seconds()), most - 1, JSON.stringify(tally(answers)));
      for (const { status, text } of answers) assert.ok(status < 500, text);
      const another = await limit.of(run, await run.createApp({ plan }));
      assert.is(limited([await another(0)], seconds()), limit.overApps ? 1 : 0, 'another app');
      if (limit.beside) assert.is(limited([await limit.beside(run, app)], ''), 0, 'beside it');

      run.clock.advance(end - 1 - run.clock.now());
      if (!limit.forgets) run = await run.restart();
      shoot = await limit.of(run, app);
      assertError(await shoot(0), 'rate_limited', 'a millisecond before the end');
      assert.is(limited([await shoot(0)], '1'), 1);
      run.clock.advance(1);
      shoot = await limit.of(run, app);
      const again = await atOnce(most + 3, shoot);
      const wait = String(Math.ceil((length === DAY ? untilMidnight() : length) / 1_000));
      assert.is(limited(again, wait), 3, JSON.stringify(tally(again)));
    } finally {
      await run.close();
    }
  });

test.run();
