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

const DAY = 86_400_000;
const PLANS = join(mkdtempSync(join(tmpdir(), 'plans-')), 'plans.json');
const plan = (monthly_auths: number | null) => ({ monthly_auths, live_keys: 3, test_keys: 3 });
writeFileSync(PLANS, JSON.stringify({ free: plan(100), small: plan(99), unlimited: plan(null) }));

const test = suite('share of a plan');
const run = serviceFor(test, {
  env: { PLANS_FILE: PLANS, LIMIT_PLAN_SHARE_PER_IP: '20', LIMIT_MATCHES_PER_USER: '2' },
});
let addresses = 0;
const address = () => `203.0.113.${++addresses}`;
let persons = 100;
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
  'enrolls of new faces': {
    shoot: (app, ip, challengeId) =>
      enroll(run, app, { ip, challengeId, descriptors: [faces.genuine(++persons)] }),
    answer: '201',
  },
};

for (const [what, { shoot, answer }] of Object.entries(KINDS))
  test(`${what}: a burst from one address gets its share of the day`, async () => {
    const [app, ip] = [await run.createApp({ plan: 'free' }), address()];
    await enrolled(run, app, { ip: address() });
    const ids = await challenges(run, app, 60);
    const answers = await Promise.all(ids.slice(0, 50).map(id => shoot(app, ip, id)));
    assert.equal(tally(answers), { [answer]: 20, '429 rate_limited': 30 });
    const refused = await shoot(app, ip, ids[50] ?? '');
    assertError(refused, 'rate_limited');
    assert.match(refused.json.error.message, /share of the app’s plan/);
    const left = DAY - (run.clock.now() % DAY);
    assert.is(refused.headers['retry-after'], String(Math.ceil(left / 1_000)));
    assert.is(
      tally([await shoot(app, address(), ids[50] ?? '')])[answer],
      1,
      'another address, same challenge',
    );
    const { auths } = usage(run, app);
    assert.ok(auths <= 52, `${auths} auths`);
    run.clock.advance(left);
    const [next = ''] = await challenges(run, app, 1);
    assert.is(tally([await shoot(app, ip, next)])[answer], 1, 'the next day');
  });

test('what costs no auth uses no share: the right face still signs in', async () => {
  const [app, ip] = [await run.createApp({ plan: 'free' }), address()];
  const { user } = await enrolled(run, app, { ip: address() });
  const ids = await challenges(run, app, 25);
  const free = [
    ...ids.map((_, n) => enroll(run, app, { ip, challengeId: `ch_${String(n).padStart(24, '0')}` })),
    ...ids.map(challengeId =>
      enroll(run, app, { ip, challengeId, fields: { email: user.email }, descriptors: [faces.genuine(7)] }),
    ),
  ];
  assert.equal(tally(await Promise.all(free)), { '400 challenge_invalid': 25, '409 email_taken': 25 });
  assert.is(usage(run, app).auths, 1);
  assert.is((await match(run, app, { ip })).status, 200);
});

test('sign-ins do not count, except those beyond the hour of a user', async () => {
  const [app, ip] = [await run.createApp({ plan: 'free' }), address()];
  for (let person = 0; person < 15; person++)
    await enrolled(run, app, { ip: address(), descriptors: [faces.genuine(person)] });
  const signIn = (person: number) => match(run, app, { ip, descriptors: [faces.genuine(person)] });
  for (let person = 0; person < 15; person++)
    for (let times = 0; times < 2; times++) assert.is((await signIn(person)).status, 200);
  for (let n = 0; n < 20; n++) assertError(await signIn(0), 'rate_limited', 'beyond the hour');
  assert.match((await signIn(1)).json.error.message, /share of the app’s plan/);
  const { problems } = await (await fetch(`${run.portal}/health`)).json();
  const [{ message }] = problems.filter(({ name }: { name: string }) => name === 'plan');
  assert.match(message, new RegExp(`${app.id} \\(live\\) 65 % of 100`));
  const metrics = await (await fetch(`${run.portal}/metrics`)).text();
  // Several nodes add their name to the labels.
  assert.match(
    metrics,
    new RegExp(`budget_used_ratio\\{app="${app.id}",mode="live",budget="plan"[^}]*\\} 0.65`),
  );
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

test('a /64 shuts out nobody else in its /48', async () => {
  const app = await run.createApp({ plan: 'free' });
  await enrolled(run, app, { ip: address() });
  const ids = await challenges(run, app, 30);
  const shots = ids.map((challengeId, n) =>
    match(run, app, { ip: `2001:db8:7:1::${n}`, challengeId, descriptors: stranger }),
  );
  assert.equal(tally(await Promise.all(shots)), { '401 no_match': 20, '429 rate_limited': 10 });
  assert.is((await match(run, app, { ip: '2001:db8:7:1::1' })).status, 429);
  assert.is((await match(run, app, { ip: '2001:db8:7:2::1' })).status, 200);
});

test.run();
