/** Test keys: data of their own, caps of their own, and an end for their users. */
import * as assert from 'uvu/assert';
import {
  assertError,
  challenges,
  enroll,
  enrolled,
  type FaceCall,
  faces,
  match,
  planFile,
  someEmail,
  tally,
  usage,
} from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const DAY = 24 * 3_600_000;
const mode = 'test';
const test = suite('test-mode');
const run = serviceFor(test, { env: { PLANS_FILE: planFile({ one: 1 }) } });

const untilMidnight = () => DAY - (run.clock.now() % DAY);
const person = (n: number): FaceCall => ({ mode, descriptors: [faces.genuine(n)] });

async function population(app: TestApp, count: number): Promise<void> {
  const ids = await challenges(run, app, count, mode);
  const answers = await Promise.all(
    ids.map((challengeId, n) => enroll(run, app, { ...person(n), challengeId })),
  );
  assert.equal(tally(answers), { 201: count });
}

test('100 test users at once, exact in a burst; live users and other apps do not matter', async () => {
  const app = await run.createApp();
  await population(app, 90);
  const ids = await challenges(run, app, 100, mode);
  const answers = await Promise.all(
    ids.map((challengeId, n) => enroll(run, app, { ...person(100 + n), challengeId })),
  );
  assert.equal(tally(answers), { 201: 10, '403 test_limit_reached': 90 });
  assert.is(usage(run, app, mode).enrolls, 100);
  assert.is(usage(run, app, mode).auths, 100, 'a refused one is no auth');
  await enrolled(run, app, { descriptors: [faces.genuine(300)] });
  await enrolled(run, await run.createApp(), person(300));
});

test('a full house says so before it looks at email and face', async () => {
  const app = await run.createApp();
  const email = someEmail();
  await enrolled(run, app, { ...person(0), fields: { email } });
  const ids = await challenges(run, app, 99, mode);
  await Promise.all(ids.map((challengeId, n) => enroll(run, app, { ...person(n + 1), challengeId })));
  assertError(
    await enroll(run, app, { ...person(0), fields: { email } }),
    403,
    'test_limit_reached',
    'both taken',
  );
  assertError(
    await enroll(run, app, { mode, challengeId: 'ch_x' }),
    400,
    'challenge_invalid',
    'unknown challenge',
  );
  assert.is((await match(run, app, person(5))).status, 200, 'matching goes on');
});

test('200 enrolls a day per app, exact in a burst, until midnight UTC', async () => {
  const app = await run.createApp();
  const { user } = await enrolled(run, app, person(0));
  const again = { mode, fields: { email: user.email } } as const;
  const try_ = async (count: number) => {
    const ids = await challenges(run, app, count, mode);
    return Promise.all(ids.map(challengeId => enroll(run, app, { ...again, challengeId })));
  };
  for (let n = 0; n < 5; n++) {
    assertError(await enroll(run, app, { mode, fields: { email: 'x' } }), 400, 'invalid_request');
    assertError(await enroll(run, app, { mode, fields: { consent: {} } }), 400, 'consent_required');
  }
  assert.equal(tally(await try_(150)), { '409 email_taken': 150 });
  const burst = await try_(120);
  assert.equal(tally(burst), { '409 email_taken': 49, '429 rate_limited': 71 });
  for (const answer of burst.filter(one => one.status === 429)) {
    assert.is(answer.headers['retry-after'], String(Math.ceil(untilMidnight() / 1000)));
  }
  await enrolled(run, app, { descriptors: [faces.genuine(1)] });
  await enrolled(run, await run.createApp(), person(1));
  assert.is((await match(run, app, person(0))).status, 200, 'matches have their own number');
  run.clock.advance(untilMidnight() - 1);
  assertError(await enroll(run, app, again), 429, 'rate_limited', 'just before midnight');
  run.clock.advance(1);
  assertError(await enroll(run, app, again), 409, 'email_taken', 'a new day');
});

test('1,000 matches a day per app, exact in a burst, until midnight UTC', async () => {
  const app = await run.createApp();
  const strangers = async (count: number) => {
    const ids = await challenges(run, app, count, mode);
    return Promise.all(
      ids.map(challengeId => match(run, app, { mode, challengeId, descriptors: [faces.stranger(1)] })),
    );
  };
  for (let n = 0; n < 5; n++)
    assertError(await match(run, app, { mode, descriptors: [] }), 400, 'invalid_request');
  for (let round = 0; round < 4; round++) assert.equal(tally(await strangers(240)), { '401 no_match': 240 });
  const burst = await strangers(240);
  assert.equal(tally(burst), { '401 no_match': 40, '429 rate_limited': 200 });
  const wait = burst.find(one => one.status === 429)?.headers['retry-after'];
  assert.is(wait, String(Math.ceil(untilMidnight() / 1000)));
  assert.is(usage(run, app, mode).matches_failed, 1000);
  assertError(
    await match(run, app, { descriptors: [faces.stranger(1)] }),
    401,
    'no_match',
    'live mode has no such cap',
  );
  await enrolled(run, app, person(2));
  run.clock.advance(untilMidnight());
  assert.is((await match(run, app, person(2))).status, 200, 'a new day');
});

test('live mode has neither cap', async () => {
  const app = await run.createApp();
  const ids = await challenges(run, app, 210);
  const answers = await Promise.all(
    ids.map((challengeId, n) => enroll(run, app, { challengeId, descriptors: [faces.genuine(n)] })),
  );
  assert.equal(tally(answers), { 201: 210 });
});

test('test calls are free of the plan', async () => {
  const app = await run.createApp({ plan: 'one' });
  await population(app, 5);
  assert.equal(usage(run, app, mode), { auths: 5, enrolls: 5, matches_ok: 0, matches_failed: 0 });
  assert.is(usage(run, app).auths, 0);
});

test.run();
