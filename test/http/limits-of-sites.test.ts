/**
 * Every window of a client address stands twice for IPv6: by the /64, and by the /48 with ten times the number. Fails when
 * somebody with a /48, which has 65,536 of the others, is counted by the /64 alone, or when an IPv4 address has a site.
 */
import * as assert from 'uvu/assert';
import {
  type Answer,
  browser,
  call,
  challenges,
  enroll,
  enrolled,
  faces,
  match,
  someEmail,
  tally,
} from '../support/client.ts';
import { requestCode, verifyCode } from '../support/codes.ts';
import { addTemplates } from '../support/me.ts';
import { type Running, startService, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('limits of sites');

interface Kind {
  readonly setting: string;
  readonly fine: string;
  readonly shot: (run: Running, app: TestApp, ip: string, challengeId: string) => Promise<Answer>;
}

const stranger = [faces.stranger(1)];
const KINDS: Record<string, Kind> = {
  requests: {
    setting: 'LIMIT_IP_PER_MINUTE',
    fine: '200',
    shot: (run, app, ip) => call(run, 'POST', '/v1/challenges', { headers: browser(app), ip }),
  },
  'failed matches': {
    setting: 'LIMIT_FAILED_MATCHES',
    fine: '401 no_match',
    shot: (run, app, ip, challengeId) => match(run, app, { ip, challengeId, descriptors: stranger }),
  },
  enrolls: {
    setting: 'LIMIT_ENROLL_PER_IP',
    fine: '400 challenge_invalid',
    shot: (run, app, ip) => enroll(run, app, { ip, challengeId: 'ch_none' }),
  },
  'code requests': {
    setting: 'LIMIT_CODE_PER_IP',
    fine: '202',
    shot: (run, app, ip) => requestCode(run, app, someEmail(), { ip }),
  },
  'code requests of a day': {
    setting: 'LIMIT_CODE_PER_IP_DAY',
    fine: '202',
    shot: (run, app, ip) => requestCode(run, app, someEmail(), { ip }),
  },
  'code verifies': {
    setting: 'LIMIT_VERIFY_PER_IP',
    fine: '400 invalid_code',
    shot: (run, app, ip) => verifyCode(run, app, someEmail(), '123456', { ip }),
  },
};

for (const [name, { setting, fine, shot }] of Object.entries(KINDS))
  test(`${name}: 100 addresses of one /48 at once get ten times the number of one; IPv4 addresses count alone`, async () => {
    let run = await startService({ env: { [setting]: '1', BASE_URL: 'https://id.example.com' } });
    try {
      const app = await run.createApp({ plan: 'unlimited' });
      const ids = setting === 'LIMIT_FAILED_MATCHES' ? await challenges(run, app, 160) : [];
      const burst = (count: number, ip: (n: number) => string) =>
        Promise.all(Array.from({ length: count }, (_, n) => shot(run, app, ip(n), ids.pop() ?? '')));
      const site = (name: string) => (n: number) => `2001:db8:${name}:${n.toString(16)}::1`;
      assert.equal(tally(await burst(100, site('a'))), { [fine]: 10, '429 rate_limited': 90 });
      assert.equal(tally(await burst(20, site('b'))), { [fine]: 10, '429 rate_limited': 10 }, 'another /48');
      assert.equal(tally(await burst(20, n => `192.0.2.${n}`)), { [fine]: 20 }, 'IPv4');
      if (setting === 'LIMIT_IP_PER_MINUTE') return;
      run = await run.restart();
      assert.equal(tally(await burst(5, site('a'))), { '429 rate_limited': 5 }, 'after a restart');
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
    answers.push(await addTemplates(run, app, token, stranger, { ip: `2001:db8:1:${n}::1` }));
  assert.equal(tally(answers), { '401 no_match': 10, '429 rate_limited': 2 });
});

test.run();
