/** The auths a plan allows in a month. */
import * as assert from 'uvu/assert';
import {
  type Answer,
  assertError,
  browser,
  call,
  challenge,
  challenges,
  enroll,
  enrolled,
  faces,
  iso,
  match,
  planFile,
  server,
  soon,
  tally,
  usage,
  verify,
} from '../support/client.ts';
import { serviceFor, type TestApp } from '../support/service.ts';
import { suite } from '../support/suite.ts';

const test = suite('plan-limit');
const run = serviceFor(test, { env: { PLANS_FILE: planFile({ one: 1, three: 3, ten: 10 }) } });

const stranger = [faces.stranger(1)];
function assertSpent(answer: Answer, limit: number, resets: string, note = ''): void {
  assertError(answer, 'plan_limit_reached', note);
  const { code: _, message: __, ...rest } = answer.json.error;
  assert.equal(rest, { limit, used: limit, resets_at: resets }, note);
}
function nextMonth(): number {
  const now = new Date(run.clock.now());
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
}
const bare = (app: TestApp) => call(run, 'POST', '/v1/challenges', { headers: browser(app) });

test('an enroll, a match and a failed match use a plan of three up; then every browser route says when it resets', async () => {
  const app = await run.createApp({ plan: 'three' });
  const [one = '', two = ''] = await challenges(run, app, 2);
  const { token } = await enrolled(run, app);
  assert.is((await match(run, app)).status, 200);
  assertError(await match(run, app, { descriptors: stranger }), 'no_match');
  const resets = iso(nextMonth());
  assertSpent(await bare(app), 3, resets, 'challenges');
  assertSpent(await match(run, app, { challengeId: one }), 3, resets, 'match');
  assertSpent(
    await enroll(run, app, { challengeId: two, descriptors: [faces.genuine(1)] }),
    3,
    resets,
    'enroll',
  );
  assert.equal(usage(run, app), { auths: 3, enrolls: 1, matches_ok: 1, matches_failed: 1 });
  assert.is((await verify(run, app, token)).json.valid, true, 'a token is still verified');
  assert.is((await call(run, 'GET', '/v1/app', { headers: server(app) })).status, 200);
});

test('a month of UTC later the plan is whole again, not a millisecond before', async () => {
  const app = await run.createApp({ plan: 'one' });
  await enrolled(run, app);
  run.clock.advance(nextMonth() - 1 - run.clock.now());
  const resets = iso(run.clock.now() + 1);
  assertSpent(await bare(app), 1, resets);
  run.clock.advance(1);
  assert.is((await match(run, app)).status, 200);
  assertSpent(await bare(app), 1, iso(nextMonth()));
});

test('what does not reach face matching uses nothing up; a face enrolled before does', async () => {
  const app = await run.createApp({ plan: 'three' });
  const { user } = await enrolled(run, app);
  for (let n = 0; n < 4; n++) {
    const taken = { descriptors: [faces.genuine(1)], fields: { email: user.email } };
    assertError(await enroll(run, app, taken), 'email_taken');
    assertError(await match(run, app, { challengeId: 'ch_x' }), 'challenge_invalid');
    assertError(await match(run, app, { descriptors: [] }), 'invalid_request');
    assertError(await enroll(run, app, { fields: { consent: {} } }), 'consent_required');
    await challenge(run, app);
  }
  assert.is(usage(run, app).auths, 1);
  for (let n = 0; n < 2; n++) assertError(await enroll(run, app), 'face_already_enrolled');
  assertSpent(await bare(app), 3, iso(nextMonth()));
});

for (const kind of ['match', 'failed match', 'enroll', 'mixed'] as const) {
  test(`a burst of 100 gets exactly the ten auths of its plan: ${kind}`, async () => {
    const app = await run.createApp({ plan: 'ten' });
    const ids = await challenges(run, app, 100);
    if (kind === 'match') await enrolled(run, app);
    const make = (challengeId: string, n: number) => {
      const as = kind === 'mixed' ? (['failed match', 'enroll'] as const)[n % 2] : kind;
      if (as === 'match') return match(run, app, { challengeId });
      if (as === 'enroll') return enroll(run, app, { challengeId, descriptors: [faces.genuine(n)] });
      return match(run, app, { challengeId, descriptors: [faces.stranger(n)] });
    };
    const answers = await Promise.all(ids.map(make));
    const left = kind === 'match' ? 9 : 10;
    assert.is(tally(answers)['429 plan_limit_reached'], 100 - left, JSON.stringify(tally(answers)));
    for (const answer of answers.filter(one => one.status === 429)) assertSpent(answer, 10, iso(nextMonth()));
    assert.is(usage(run, app).auths, 10);
    const { enrolls, matches_ok, matches_failed } = usage(run, app);
    assert.is(enrolls + matches_ok + matches_failed, 10, 'no auth without its outcome');
  });
}

test('test calls never meet the plan, and do not use it', async () => {
  const app = await run.createApp({ plan: 'one' });
  await enrolled(run, app, { mode: 'test' });
  for (let n = 0; n < 3; n++) assert.is((await match(run, app, { mode: 'test' })).status, 200);
  await enrolled(run, app);
  assertSpent(await bare(app), 1, iso(nextMonth()), 'live');
  assert.is((await match(run, app, { mode: 'test' })).status, 200, 'test calls go on');
});

test('a new plan holds at once, and what was used stays used', async () => {
  const app = await run.createApp({ plan: 'one' });
  await enrolled(run, app);
  assertSpent(await bare(app), 1, iso(nextMonth()));
  await run.cli(['app', 'update', app.id, '--plan', 'three']);
  await soon(async () => (await bare(app)).status === 200, 'the larger plan');
  for (let n = 0; n < 2; n++) assert.is((await match(run, app)).status, 200);
  assertSpent(await bare(app), 3, iso(nextMonth()));
  await run.cli(['app', 'update', app.id, '--plan', 'unlimited']);
  await soon(async () => (await bare(app)).status === 200, 'no limit');
});

test('a plan that is used up, and a challenge that was used, stay so over a restart', async () => {
  const [app, other] = [await run.createApp({ plan: 'one' }), await run.createApp()];
  await enrolled(run, app);
  const { challenge_id: challengeId } = await challenge(run, other);
  assertError(await match(run, other, { challengeId, descriptors: stranger }), 'no_match');
  await run.restart();
  assertSpent(await bare(app), 1, iso(nextMonth()));
  assertError(await match(run, other, { challengeId, descriptors: stranger }), 'challenge_invalid');
});

test.run();
