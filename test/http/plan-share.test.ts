/**
 * A network's share of a plan: auths that signed in nobody. Fails when one address uses up a plan for everyone, or when
 * people who sign in at one address have less of it.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { assertError, challenges, enroll, enrolled, faces, match, tally, usage } from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const PLANS = join(mkdtempSync(join(tmpdir(), 'plans-')), 'plans.json');
const plan = (monthly_auths: number | null) => ({ monthly_auths, live_keys: 3, test_keys: 3 });
writeFileSync(PLANS, JSON.stringify({ free: plan(100), small: plan(99), unlimited: plan(null) }));

const test = suite('share of a plan');
const run = serviceFor(test, {
  env: { PLANS_FILE: PLANS, LIMIT_PLAN_SHARE_PER_IP: '20', LIMIT_MATCHES_PER_USER: '2' },
});
let addresses = 0;
const address = () => `203.0.113.${++addresses}`;
const stranger = [faces.stranger(1)];

type Shot = (app: TestApp, ip: string, challengeId: string) => ReturnType<typeof match>;
const KINDS: Record<string, { shoot: Shot; answer: string }> = {
  'failed matches': {
    shoot: (app, ip, challengeId) => match(run, app, { ip, challengeId, descriptors: stranger }),
    answer: '401 no_match',
  },
  'enrolls of a known face': {
    shoot: (app, ip, challengeId) => enroll(run, app, { ip, challengeId }),
    answer: '409 face_already_enrolled',
  },
};

for (const [what, { shoot, answer }] of Object.entries(KINDS))
  test(`${what}: a burst from one address gets its share of the month`, async () => {
    const [app, ip] = [await run.createApp({ plan: 'free' }), address()];
    await enrolled(run, app, { ip: address() });
    const ids = await challenges(run, app, 60);
    const answers = await Promise.all(ids.slice(0, 50).map(id => shoot(app, ip, id)));
    assert.equal(tally(answers), { [answer]: 20, '429 rate_limited': 30 });
    const refused = await shoot(app, ip, ids[50] ?? '');
    assertError(refused, 429, 'rate_limited');
    assert.match(refused.json.error.message, /share of the app’s plan/);
    const [now, date] = [run.clock.now(), new Date(run.clock.now())];
    const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    assert.is(refused.headers['retry-after'], String(Math.ceil((month - now) / 1_000)));
    assert.is(
      tally([await shoot(app, address(), ids[50] ?? '')])[answer],
      1,
      'another address, same challenge',
    );
    const { auths } = usage(run, app);
    assert.ok(auths <= 52, `${auths} auths`);
  });

test('sign-ins do not count, except those beyond the hour of a user', async () => {
  const [app, ip] = [await run.createApp({ plan: 'free' }), address()];
  for (let person = 0; person < 15; person++)
    await enrolled(run, app, { ip: address(), descriptors: [faces.genuine(person)] });
  const signIn = (person: number) => match(run, app, { ip, descriptors: [faces.genuine(person)] });
  for (let person = 0; person < 15; person++)
    for (let times = 0; times < 2; times++) assert.is((await signIn(person)).status, 200);
  for (let n = 0; n < 20; n++) assertError(await signIn(0), 429, 'rate_limited', 'beyond the hour');
  assert.match((await signIn(1)).json.error.message, /share of the app’s plan/);
  const { problems } = await (await fetch(`${run.portal}/health`)).json();
  const [{ message }] = problems.filter(({ name }: { name: string }) => name === 'plan');
  assert.match(message, new RegExp(`${app.id} \\(live\\) 65 % of 100`));
  const metrics = await (await fetch(`${run.portal}/metrics`)).text();
  assert.match(metrics, new RegExp(`budget_used_ratio\\{app="${app.id}",mode="live",budget="plan"\\} 0.65`));
});

for (const [what, made, mode] of [
  ['a small plan', 'small', 'live'],
  ['no plan', 'unlimited', 'live'],
  ['test mode', 'free', 'test'],
] as const)
  test(`${what} has no shares`, async () => {
    const [app, ip] = [await run.createApp({ plan: made }), address()];
    const ids = await challenges(run, app, 25, mode);
    const shots = ids.map(challengeId => match(run, app, { mode, ip, challengeId, descriptors: stranger }));
    assert.equal(tally(await Promise.all(shots)), { '401 no_match': 25 });
  });

test('a /48 has no more than an address', async () => {
  const app = await run.createApp({ plan: 'free' });
  const ids = await challenges(run, app, 30);
  const answers = await Promise.all(
    ids.map((challengeId, n) =>
      match(run, app, { ip: `2001:db8:7:${n}::1`, challengeId, descriptors: stranger }),
    ),
  );
  assert.equal(tally(answers), { '401 no_match': 20, '429 rate_limited': 10 });
});

test.run();
